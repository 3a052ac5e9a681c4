/** What we have to say of a field, in our own words. All of it is Markdown on one line. */
export interface FieldWords {
  /** What it does, in a sentence or three. */
  readonly says: string;
  /** What holds where it is left out; stands behind "Default:". */
  readonly unset?: string;
  /** Since when it can be relied on, for fields younger than the Job itself; stands behind "Since Kubernetes". */
  readonly since?: string;
  /** What each of the values that it may have means. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Words by the API's name of the type (`JobSpec`) and the field's; a bare text is all that is to be said. */
export type WordsByType = Readonly<Record<string, Readonly<Record<string, string | FieldWords>>>>;
