import { plainZoneNames, zoneNamesByArea } from './timeZoneNames.ts';

/** Time zones as the API server knows them. Source: Kubernetes 1.35, batch validation of timeZone (F4); Go's time package. */

const namePart = /^[A-Za-z._0-9+-]{1,14}$/;

/**
 * True for a name that Go can load; case counts, as in the file system that holds the database. Beyond the list of this
 * release, what the platform knows is taken for good: its database may be newer.
 */
export function isKnownZone(name: string): boolean {
  const slash = name.indexOf('/');
  const listed = slash < 0 ? plainZoneNames : zoneNamesByArea[name.slice(0, slash)];
  if (listed?.split(/\s+/).includes(name.slice(slash + 1)) === true && !name.endsWith('/') && name !== '') return true;
  return Intl.supportedValuesOf('timeZone').includes(name);
}

/** What is wrong with a time zone; undefined for a good one. */
export function timeZoneFault(name: string): string | undefined {
  if (name === '') return 'timeZone must be nil or non-empty string';
  for (const part of name.split('/')) {
    if (part === '.' || part === '..' || part.startsWith('-') || !namePart.test(part)) {
      return `unknown time zone ${name}`;
    }
  }
  if (name.toLowerCase() === 'local') {
    return 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
  }
  return isKnownZone(name) ? undefined : `unknown time zone ${name}`;
}
