/** OpenAPI documents as tests read them. */

/** The document of a face, as it is served. */
export const fetchOpenApi = async <Document>(url: string, face: string): Promise<Document> =>
  (await (await fetch(`${url}/openapi/${face}.json`)).json()) as Document;

/** The same with every reference replaced by the schema that it leads to. */
export async function fetchResolved<Document>(url: string, face: string): Promise<Document> {
  const document = await fetchOpenApi<OpenApi>(url, face);
  const { schemas } = document.components;
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...others } = value as { readonly $ref?: string };
    if ($ref !== undefined) return { ...(resolved(schemas[nameIn($ref)]) as object), ...others };
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolved(part)]));
  };
  return resolved(document) as Document;
}

export interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** The component that a reference leads to. */
export const nameIn = ($ref: string): string => $ref.replace('#/components/schemas/', '');
