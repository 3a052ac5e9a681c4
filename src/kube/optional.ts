/** `{ key: value }`, or `{}` if there is no value: an absent property, as exactOptionalPropertyTypes asks for. */
export function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V });
}
