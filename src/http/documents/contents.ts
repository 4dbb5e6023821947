// The table of contents of the documentation under /docs: what it contains, in the order in which one needs it.

/** A heading of the contents, with the documents below it: Markdown files in `docs`, without `.md`. */
interface Section {
  readonly title: string;
  readonly files: readonly string[];
  /** Pages that are not made from a file. */
  readonly pages?: readonly { readonly label: string; readonly path: string }[];
}

export const CONTENTS: readonly Section[] = [
  { title: 'Start', files: ['guides/quickstart', 'guides/sandbox', 'guides/enrolment', 'guides/webhooks'] },
  {
    title: 'Integrate',
    files: [
      'guides/reasons',
      'guides/component',
      'guides/embedding',
      'guides/webview',
      'guides/devices',
      'guides/pictures',
      'guides/receipts',
      'guides/production',
    ],
  },
  {
    title: 'Login',
    files: [
      'guides/login',
      'guides/login-keycloak',
      'guides/login-auth0',
      'guides/login-okta',
      'guides/login-entra',
    ],
  },
  {
    title: 'Reference',
    files: ['interface', 'capture-page'],
    pages: [
      { label: 'API', path: '/docs/api' },
      { label: 'Errors', path: '/docs/errors' },
      { label: 'Configuration', path: '/docs/configuration' },
    ],
  },
  {
    title: 'Operate',
    files: [
      'operations/README',
      'operations/proxies',
      'operations/console',
      'operations/keys',
      'operations/backup-and-restore',
      'operations/upgrade',
      'operations/moving',
      'operations/kubernetes',
      'operations/decoder',
      'operations/incidents',
      'operations/assurance',
      'operations/dependencies',
    ],
  },
  {
    title: 'Privacy',
    files: [
      'privacy/README',
      'privacy/consent',
      'privacy/data-map',
      'privacy/requests',
      'privacy/error-rates',
      'privacy/dpia-template',
      'privacy/laws',
    ],
  },
  {
    title: 'How it judges',
    files: ['liveness', 'recognition', 'models', 'featid-format', 'template-protection'],
  },
];
