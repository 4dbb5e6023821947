// /docs: the OpenAPI document as one readable page, rendered by the server.
import { type Html, html } from './html.ts';
import { markdown } from './markdown.ts';
import type { Content, OpenApiDocument, Operation, Parameter, Schema } from './openapi-document.ts';
import { docsShell } from './shell.ts';

/** The whole page. `guides` is a list of links; `tryOut` is the path of the page for trying calls out, or null. */
export function docsPage(document: OpenApiDocument, guides: Html, tryOut: string | null): string {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
  const sections = (document.tags ?? []).map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags?.includes(tag.name));
    if (own.length === 0) return null;
    return html`<section><h2>${tag.name}</h2>${tag.description && html`<p>${tag.description}</p>`}${own.map(
      ({ method, path, operation }) => operationBlock(method.toUpperCase(), path, operation),
    )}</section>`;
  });
  const webhooks = Object.entries(document.webhooks ?? {}).map(([name, item]) =>
    Object.entries(item).map(([method, operation]) => operationBlock(method.toUpperCase(), name, operation)),
  );
  const schemas = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) =>
      html`<article id="schema-${name}"><h3>${name}</h3>${schema.description && markdown(schema.description)}${fields(schema)}</article>`,
  );
  return docsShell(
    `${document.info.title} API`,
    html`<h1>${document.info.title} API <span class="soft">${document.info.version}</span></h1>
${document.info.description && markdown(document.info.description)}
<p>Base address: ${(document.servers ?? []).map((server) => html`<code>${server.url}</code> ${server.description}`)} ·
<a href="/openapi.json">openapi.json</a> · <a href="/llms.txt">llms.txt</a> · <a href="/docs/errors">errors</a> · <a href="/docs/configuration">configuration</a>${tryOut && html` · <a href="${tryOut}">try it out</a>`}</p>
<h2 id="guides">Guides</h2>${guides}
<h2>Authentication</h2><p><code>Authorization: Basic API_KEY</code>, or <code>curl -u API_KEY:</code>.</p>
${sections}<section><h2>What your endpoints receive</h2>${webhooks}</section><section><h2>Objects</h2>${schemas}</section>`,
  );
}

function operationBlock(method: string, path: string, operation: Operation): Html {
  return html`<article id="${operation.operationId}"><h3><span class="method">${method}</span> <code>${path}</code></h3>
<p><strong>${operation.summary}</strong></p>${operation.description && markdown(operation.description)}
${parameterTable(operation.parameters ?? [])}
${operation.requestBody && contentBlock('Body', operation.requestBody)}
${Object.entries(operation.responses ?? {}).map(([status, response]) => contentBlock(status, response))}</article>`;
}

function parameterTable(parameters: readonly Parameter[]): Html | null {
  if (parameters.length === 0) return null;
  const rows = parameters.map(
    (parameter) =>
      html`<tr><td><code>${parameter.name}</code></td><td>${parameter.in}${parameter.required ? ', required' : ''}</td><td>${typeOf(parameter.schema ?? {})}</td><td>${markdown(parameter.description ?? '')}</td></tr>`,
  );
  return html`<table><tr><th>Parameter</th><th>In</th><th>Type</th><th>Meaning</th></tr>${rows}</table>`;
}

function contentBlock(label: string, content: Content): Html {
  const media = Object.entries(content.content ?? {}).map(([type, { schema, examples }]) => {
    const shown = Object.entries(examples ?? {}).map(
      ([name, example]) =>
        html`<p class="soft">${example.summary ?? name}</p><pre><code>${JSON.stringify(example.value, null, 2)}</code></pre>`,
    );
    const isProblem = type === 'application/problem+json';
    const inline = schema && !schema.$ref ? fields(schema) : null;
    return html`<p class="soft"><code>${type}</code> ${schema && !isProblem && typeOf(schema)}</p>${inline}${shown}`;
  });
  return html`<h3>${label}</h3>${content.description && markdown(content.description)}${media}`;
}

/** A table of an object's fields; nested ones follow their parent, under their dotted name. */
function fields(schema: Schema): Html | null {
  const rows = fieldRows(schema, '');
  if (rows.length === 0) return null;
  return html`<table><tr><th>Field</th><th>Type</th><th>Meaning</th></tr>${rows}</table>`;
}

function fieldRows(schema: Schema, prefix: string): Html[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix + name;
    const required = schema.required?.includes(name) ? ' (required)' : '';
    const row = html`<tr><td><code>${path}</code></td><td>${typeOf(field)}${required}</td><td>${markdown(field.description ?? '')}${limits(field)}</td></tr>`;
    const branches = (field.anyOf ?? []).flatMap((branch) => fieldRows(branch, `${path}.`));
    return [row, ...fieldRows(field, `${path}.`), ...fieldRows(field.items ?? {}, `${path}[].`), ...branches];
  });
}

function typeOf(schema: Schema): Html {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)!;
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.items)
    return html`array of ${typeOf(schema.items)}${[schema.type].flat().includes('null') ? ' or null' : ''}`;
  if (schema.anyOf) return joined(schema.anyOf.map(typeOf));
  if (schema.enum) return joined(schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`));
  return html`${[schema.type ?? 'any'].flat().join(' or ')}`;
}

function joined(parts: readonly Html[]): Html {
  return html`${parts.map((part, index) => html`${index > 0 ? ' or ' : ''}${part}`)}`;
}

const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'maxItems', 'pattern', 'default'] as const;

function limits(schema: Schema): Html | null {
  const shown = LIMITS.filter((name) => schema[name] !== undefined).map(
    (name) => html` <span class="soft">${name} <code>${String(schema[name])}</code></span>`,
  );
  return shown.length === 0 ? null : html`${shown}`;
}
