/** JSON that a generator builds up; what it hands out is no longer changed. */
export type Json = string | number | boolean | null | Json[] | JsonMap;
export interface JsonMap {
  [key: string]: Json;
}

export function isMap(value: Json | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
