// The parts of an OpenAPI 3.1 document that the documentation shows.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  readonly [keyword: string]: unknown;
}
interface Media {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, { summary?: string; value: unknown }>>;
}
export interface Content {
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}
export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}
export interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content>>;
}
type PathItem = Readonly<Record<string, Operation>>;

export interface OpenApiDocument {
  readonly info: { title: string; version: string; description?: string };
  readonly servers?: readonly { url: string; description?: string }[];
  readonly tags?: readonly { name: string; description?: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks?: Readonly<Record<string, PathItem>>;
  readonly components?: { schemas?: Readonly<Record<string, Schema>> };
}
