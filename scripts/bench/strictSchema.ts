/**
 * JSON schemas as kubeconform reads them, from an OpenAPI document of Kubernetes: what is not described is refused, null
 * stands for absent wherever a field is optional, and the kind is the one that the file is for.
 */
interface OpenApiSchema {
  readonly $ref?: string;
  readonly allOf?: readonly OpenApiSchema[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly required?: readonly string[];
  readonly items?: OpenApiSchema;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly Readonly<Record<'group' | 'version' | 'kind', string>>[];
}

interface OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, OpenApiSchema>> };
}

/** The schema of the object with this full name, and all that it refers to as its definitions. */
export function strictSchema(document: OpenApiDocument, fullName: string): object {
  const definitions = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [name, strict(schema)]),
  );
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...reference(fullName), definitions };
}

function reference(fullName: string): object {
  return { $ref: `#/definitions/${fullName}` };
}

function strict(schema: OpenApiSchema): object {
  if (schema.$ref !== undefined) return reference(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1));
  const { properties, required = [], items, additionalProperties, allOf } = schema;
  const [own] = schema['x-kubernetes-group-version-kind'] ?? [];
  return {
    ...schema,
    ...(allOf && { allOf: allOf.map(strict) }),
    ...(items && { items: orNull(strict(items)) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: orNull(strict(additionalProperties)) }),
    ...(properties && {
      additionalProperties: false,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => {
          if (own !== undefined && name === 'kind') return [name, { enum: [own.kind] }];
          return [name, required.includes(name) ? strict(property) : orNull(strict(property))];
        }),
      ),
    }),
  };
}

function orNull(schema: object): object {
  return { anyOf: [schema, { type: 'null' }] };
}
