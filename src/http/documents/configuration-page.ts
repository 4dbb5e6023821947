// /docs/configuration: every variable that an operator may set. What is in force here is not told.
import { type Html, html } from './html.ts';
import { markdown } from './markdown.ts';
import type { IndexEntry } from './search-index.ts';

/** A variable and its meaning. */
export interface NamedVariable {
  readonly name: string;
  readonly description: string;
}

/** A variable of the service's environment. */
export interface DocumentedVariable extends NamedVariable {
  /** Null: unset, or as the description says. */
  readonly default: string | null;
  readonly unit: string | null;
  readonly allowed: string | null;
}

export const CONFIGURATION_PATH = '/docs/configuration';

export function configurationPage(
  variables: readonly DocumentedVariable[],
  readElsewhere: readonly NamedVariable[],
): Html {
  const rows = variables.map(
    ({ name, description, default: byDefault, unit, allowed }) =>
      html`<tr id="${name}"><td><code>${name}</code></td><td>${byDefault !== null && html`<code>${byDefault}</code>`} ${unit}</td><td>${markdown(description)}${allowed && html`<p class="soft">${allowed}</p>`}</td></tr>`,
  );
  const elsewhere = readElsewhere.map(
    ({ name, description }) =>
      html`<tr id="${name}"><td><code>${name}</code></td><td>${markdown(description)}</td></tr>`,
  );
  return html`<h1>Configuration</h1>
<p>Environment variables, all checked at start-up. <code>likeness config</code> shows those in force, secrets masked.</p>
<table class="stacked"><tr><th>Variable</th><th>Default</th><th>Meaning</th></tr>${rows}</table>
<h2>Read elsewhere</h2>
<p>Libraries and commands read these for themselves. Nothing checks them at start-up.</p>
<table class="stacked"><tr><th>Variable</th><th>Meaning</th></tr>${elsewhere}</table>`;
}

/** Every variable, for the search. */
export const variableEntries = (variables: readonly NamedVariable[]): IndexEntry[] =>
  variables.map(({ name, description }) => ({
    title: name,
    page: 'Configuration',
    url: `${CONFIGURATION_PATH}#${name}`,
    text: description,
  }));
