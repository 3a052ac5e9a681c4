/**
 * Reads the struct declarations of Kubernetes' API types. The OpenAPI documents tell neither the Go names that the
 * server's decoding errors carry, nor which fields come through an embedded struct, nor the values of the enums.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A field of a struct as JSON sees it, embedded structs flattened. */
export interface GoField {
  /** As Go prints it, without a leading pointer: `int32`, `[]v1.Container`, `map[string]string`. */
  readonly printedType: string;
  /** The struct names a promoted field comes through, outermost first; empty for a field of the struct itself. */
  readonly embeddedIn: readonly string[];
  /** The values of the innermost type, if its declaration is marked as an enum. */
  readonly enumValues: readonly string[];
}

interface Declaration {
  /** The right-hand side of a declaration that is no struct. */
  readonly alias?: string;
  readonly lines: readonly string[];
  readonly isEnum: boolean;
}

interface GoPackage {
  readonly importPath: string;
  readonly imports: ReadonlyMap<string, string>;
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly constants: ReadonlyMap<string, readonly string[]>;
}

const builtinTypes = new Set(['string', 'bool', 'int32', 'int64', 'byte', 'uint8', 'float64', 'int']);

/** The API types of one Kubernetes release, read from the folders of its Go modules on demand. */
export class GoTypes {
  readonly #moduleFolders: ReadonlyMap<string, string>;
  readonly #packages = new Map<string, GoPackage>();

  /** Module paths (`k8s.io/api`) and the folders that hold their source. */
  constructor(moduleFolders: ReadonlyMap<string, string>) {
    this.#moduleFolders = moduleFolders;
  }

  /** The fields of a struct by their JSON names, embedded structs flattened; undefined if there is no such struct. */
  fieldsOf(importPath: string, typeName: string): ReadonlyMap<string, GoField> | undefined {
    const pkg = this.#load(importPath);
    const declaration = pkg?.declarations.get(typeName);
    if (!pkg || !declaration || declaration.alias !== undefined) return undefined;
    const fields = new Map<string, GoField>();
    for (const line of declaration.lines) {
      const match = /^\t(?!\/\/)(\S+)(?:\s+(\S+))?\s+`(.*)`/.exec(line);
      if (!match) continue;
      const [, first = '', second, tag = ''] = match;
      const jsonName = (/json:"([^",]*)/.exec(tag)?.[1] ?? '').trim();
      if (jsonName === '-') continue;
      const expression = second ?? first;
      if (jsonName !== '') {
        fields.set(jsonName, {
          printedType: this.#print(pkg, expression),
          embeddedIn: [],
          enumValues: this.#enumValues(pkg, expression),
        });
        continue;
      }
      const embedded = this.#resolve(pkg, expression.replace(/^\*/, ''));
      const promoted = embedded && this.fieldsOf(embedded.importPath, embedded.name);
      if (!promoted) throw new Error(`${importPath}.${typeName}: can't follow the embedded ${expression}`);
      for (const [name, field] of promoted) {
        fields.set(name, { ...field, embeddedIn: [embedded.name, ...field.embeddedIn] });
      }
    }
    return fields;
  }

  #print(pkg: GoPackage, expression: string): string {
    const bare = expression.replace(/^\*/, '');
    if (bare.startsWith('[]')) return `[]${this.#print(pkg, bare.slice(2))}`;
    const map = /^map\[([^\]]+)\](.+)$/.exec(bare);
    if (map) return `map[${this.#print(pkg, map[1] ?? '')}]${this.#print(pkg, map[2] ?? '')}`;
    const resolved = this.#resolve(pkg, bare);
    return resolved ? `${path.posix.basename(resolved.importPath)}.${resolved.name}` : bare;
  }

  #enumValues(pkg: GoPackage, expression: string): readonly string[] {
    const innermost = expression.replace(/^(\*|\[\]|map\[[^\]]+\])+/, '');
    const resolved = this.#resolve(pkg, innermost);
    if (!resolved) return [];
    const home = this.#load(resolved.importPath);
    if (!home?.declarations.get(resolved.name)?.isEnum) return [];
    return home.constants.get(resolved.name) ?? [];
  }

  #resolve(pkg: GoPackage, name: string): { readonly importPath: string; readonly name: string } | undefined {
    if (builtinTypes.has(name)) return undefined;
    const dot = name.indexOf('.');
    if (dot < 0) {
      const alias = pkg.declarations.get(name)?.alias;
      return alias?.startsWith('=') ? this.#resolve(pkg, alias.slice(1).trim()) : { importPath: pkg.importPath, name };
    }
    const importPath = pkg.imports.get(name.slice(0, dot));
    if (importPath === undefined) throw new Error(`${pkg.importPath}: no import for ${name}`);
    return { importPath, name: name.slice(dot + 1) };
  }

  #load(importPath: string): GoPackage | undefined {
    const known = this.#packages.get(importPath);
    if (known) return known;
    for (const [modulePath, folder] of this.#moduleFolders) {
      if (!importPath.startsWith(`${modulePath}/`)) continue;
      const inner = path.join(folder, importPath.slice(modulePath.length));
      // Everything about the wire stands in types.go, save a few types of the machinery that have a file each.
      const files = ['types.go', 'quantity.go', 'intstr.go', 'time.go', 'micro_time.go'].map((f) =>
        path.join(inner, f),
      );
      const text = files
        .filter((file) => existsSync(file))
        .map((file) => readFileSync(file, 'utf8'))
        .join('\n');
      const loaded = parsePackage(importPath, text);
      this.#packages.set(importPath, loaded);
      return loaded;
    }
    return undefined;
  }
}

function parsePackage(importPath: string, text: string): GoPackage {
  const imports = new Map<string, string>();
  const declarations = new Map<string, Declaration>();
  const constants = new Map<string, string[]>();
  let comment: string[] = [];
  let struct: { name: string; lines: string[]; isEnum: boolean } | undefined;
  for (const line of text.split('\n')) {
    if (struct) {
      if (line.startsWith('}')) {
        declarations.set(struct.name, struct);
        struct = undefined;
      } else {
        struct.lines.push(line);
      }
      continue;
    }
    if (line.startsWith('//')) {
      comment.push(line);
      continue;
    }
    const imported = /^\t(\w+ )?"([\w./-]+)"$/.exec(line);
    if (imported) {
      const target = imported[2] ?? '';
      imports.set(imported[1]?.trim() ?? path.posix.basename(target), target);
    }
    const constant = /^(?:\t|const )\w+\s+(\w+)\s*=\s*"([^"]*)"/.exec(line);
    if (constant) {
      const values = constants.get(constant[1] ?? '') ?? [];
      values.push(constant[2] ?? '');
      constants.set(constant[1] ?? '', values);
    }
    const isEnum = comment.some((each) => each.includes('+enum'));
    const opening = /^type (\w+) struct \{$/.exec(line);
    const named = /^type (\w+) (=? ?\S+)$/.exec(line);
    if (opening) struct = { name: opening[1] ?? '', lines: [], isEnum };
    else if (named) declarations.set(named[1] ?? '', { alias: named[2] ?? '', lines: [], isEnum });
    comment = [];
  }
  return { importPath, imports, declarations, constants };
}
