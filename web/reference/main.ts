// The API page: Scalar's API reference, as its package contains it, shows our OpenAPI document. What the library would
// fetch from, or send to, other hosts is switched off here, and would be stopped by the page's policy too.
import bundle from '@scalar/api-reference/browser/standalone.js?url';
import { keepMended } from './mend.ts';

declare const Scalar: {
  createApiReference(selector: string, configuration: Readonly<Record<string, unknown>>): unknown;
};

/**
 * The library styles the page by `<style>` elements of its own, without a nonce, which the page's policy demands. A
 * policy that allows them all would also allow those of an attacker. Its sidebars are `<aside>` with the role of a
 * navigation, which is not for that element: `<nav>` has it by nature.
 */
function changeWhatItMakes(): void {
  const nonce = document.querySelector<HTMLElement>('meta[property=csp-nonce]')!.nonce!;
  const create = document.createElement.bind(document);
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    const made = create(name === 'aside' ? 'nav' : name, options);
    if (made instanceof HTMLStyleElement) made.nonce = nonce;
    return made;
  }) as typeof document.createElement;
}

function show(): void {
  const tries = document.querySelector<HTMLElement>('#reference')!.dataset.tries === 'true';
  Scalar.createApiReference('#reference', {
    url: '/openapi.json',
    telemetry: false,
    withDefaultFonts: false,
    agent: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'direct',
    persistAuth: false,
    hideTestRequestButton: !tries,
    // Calls go to the page's own origin: opened as localhost or over DEV_TLS, the document names another one.
    ...(tries && { servers: [{ url: location.origin }] }),
    orderSchemaPropertiesBy: 'preserve',
    // It leaves the port of the address out.
    hiddenClients: { python: ['python3'] },
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    // The search of the documentation links to these anchors (src/http/documents/search-index.ts).
    generateOperationSlug: ({ operationId }: { operationId: string }) => operationId,
    generateModelSlug: ({ name }: { name: string }) => name,
  });
}

changeWhatItMakes();
keepMended();
const script = document.createElement('script');
script.src = bundle;
script.addEventListener('load', show);
script.addEventListener('error', () => {
  document.querySelector('#reference')!.textContent = 'The page did not load whole. Reload it.';
});
document.head.append(script);
