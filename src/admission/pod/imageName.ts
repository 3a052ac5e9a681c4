/**
 * The part of an image's name that decides how it is pulled by default.
 * Source: the grammar of distribution/reference v0.6, as Kubernetes 1.35 uses it.
 */

const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const domainPart = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = `(?:${domainPart}(?:\\.${domainPart})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const tag = '[\\w][\\w.-]{0,127}';
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';

const reference = new RegExp(`^((?:${domain}/)?${component}(?:/${component})*)(?::(${tag}))?(?:@(${digest}))?$`);
const identifier = /^[a-f0-9]{64}$/;
const longestName = 255;

const digestLengths: ReadonlyMap<string, number> = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

/** True if the image is pulled anew each time unless told otherwise: no tag and no digest, or the tag `latest`. */
export function isLatest(image: string): boolean {
  const [, name = '', imageTag, imageDigest] = reference.exec(normalized(image)) ?? [];
  // What is no image name at all has no tag either, and isn't called latest.
  if (name === '' || identifier.test(image) || isTooLong(name) || !isDigest(imageDigest)) return false;
  return imageTag === 'latest' || (imageTag === undefined && imageDigest === undefined);
}

/** The name with the domain that is meant where none is written. */
function normalized(image: string): string {
  const slash = image.indexOf('/');
  const first = slash < 0 ? '' : image.slice(0, slash);
  const isDomain = /[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first;
  if (slash >= 0 && isDomain) return image;
  return slash < 0 ? `docker.io/library/${image}` : `docker.io/${image}`;
}

function isTooLong(name: string): boolean {
  return name.length - name.indexOf('/') - 1 > longestName;
}

function isDigest(text: string | undefined): boolean {
  if (text === undefined) return true;
  const [algorithm = '', hex = ''] = text.split(':', 2);
  return digestLengths.get(algorithm) === hex.length && /^[0-9a-f]+$/.test(hex);
}
