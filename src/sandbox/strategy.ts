import type { JsonObject } from '../base/index.ts';
import type { Labels, StoredObject } from './objects.ts';

/** What becomes of unknown fields: refused, dropped with a warning, or dropped. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** What the server fixes for a new object before the type's own rules see it. */
export interface NewIdentity {
  readonly uid: string;
  readonly creationTimestamp: string;
  /** Five characters that complete a `generateName`. */
  readonly nameSuffix: string;
}

/** An object that the rules let pass. */
export interface Prepared {
  /** As it shall be stored, its resourceVersion aside. */
  readonly object: StoredObject;
  readonly warnings: readonly string[];
}

/**
 * The rules of one resource type: they default and judge what a client sends. All throw `ApiError` to refuse.
 *
 * What comes in is the client's object with the server's own metadata already right (namespace, and on update uid,
 * creation and deletion times and generation of the stored object).
 */
export interface Strategy {
  create(object: JsonObject, identity: NewIdentity, validation: FieldValidation): Prepared;
  update(object: JsonObject, old: StoredObject, validation: FieldValidation): Prepared;
  updateStatus(object: JsonObject, old: StoredObject, validation: FieldValidation): Prepared;
  /** Fields that a field selector may name, besides `metadata.name` and `metadata.namespace`. */
  readonly selectableFields: readonly string[];
  fieldsOf(object: StoredObject): Labels;
}
