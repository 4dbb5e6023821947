// The rooms of src/ and who may import whom (design: docs/decisions/0001-rooms.md). Run by `npm test`.
const rooms = {
  base: [],
  contract: [],
  storage: ['base'],
  keys: ['storage', 'contract', 'base'],
  models: ['base'],
  confined: ['base'],
  pictures: ['confined', 'base'],
  evaluation: ['contract', 'models', 'pictures', 'confined', 'base'],
  'compile-models': ['models', 'base'],
  lab: ['pictures', 'evaluation', 'models', 'featid', 'plot', 'contract', 'base'],
  outbound: ['contract', 'base'],
  plot: ['contract', 'base'],
  idempotency: ['keys', 'storage', 'base'],
  featid: ['idempotency', 'keys', 'storage', 'contract', 'base'],
  passkeys: ['featid', 'keys', 'storage', 'contract', 'base'],
  webhook: ['outbound', 'keys', 'storage', 'contract', 'base'],
  challenge: [
    ...['pictures', 'passkeys', 'featid', 'webhook', 'idempotency', 'keys', 'storage', 'contract', 'base'],
  ],
  console: ['challenge', 'featid', 'webhook', 'plot', 'keys', 'storage', 'contract', 'base'],
  http: ['challenge', 'webhook', 'passkeys', 'featid', 'idempotency', 'keys', 'console', 'contract', 'base'],
  jobs: [
    ...['challenge', 'evaluation', 'webhook', 'featid', 'idempotency', 'keys', 'storage', 'contract', 'base'],
  ],
  terminal: ['keys', 'base'],
  // A room that nobody knows but composition.
  oidc: ['http', 'jobs', 'terminal', 'challenge', 'featid', 'keys', 'storage', 'contract', 'base'],
  client: ['contract'],
};

const forbidden = Object.entries(rooms).map(([room, allowed]) => ({
  name: `room-${room}`,
  severity: 'error',
  comment: `src/${room} may import only: ${allowed.join(', ') || 'nothing of ours'}`,
  from: { path: `^src/${room}/`, pathNot: '^src/oidc/page/' },
  to: { path: '^(src|web|bench|test|examples)/', pathNot: `^src/(${[room, ...allowed].join('|')})/` },
}));

forbidden.push(
  {
    name: 'sql-in-tables-only',
    severity: 'error',
    comment: "a room's statements and rows stand in its tables/; storage/ has the pool, migrations and locks",
    from: { path: '^src/', pathNot: '^src/(storage/|[a-z-]+/tables/)' },
    to: { path: 'node_modules/(@types/)?(kysely|pg)/' },
  },
  {
    name: 'web-imports-contract-only',
    severity: 'error',
    from: { path: '^web/' },
    to: { path: '^src/', pathNot: '^src/(contract|composition/page)/' },
  },
  {
    name: 'further-pages-by-main-only',
    severity: 'error',
    from: { pathNot: '^web/console/main\\.tsx$' },
    to: { path: '^src/composition/page/' },
  },
  {
    name: 'login-page-imports-its-messages-only',
    severity: 'error',
    comment: "it is built with the console, of the console's parts",
    from: { path: '^src/oidc/page/' },
    to: {
      path: '^(src|web|bench|test|examples)/',
      pathNot:
        '^(web/console/parts/|src/(contract/|oidc/(page/|client-limits\\.ts$|console/messages\\.ts$)))',
    },
  },
  {
    name: 'oidc-library-where-wanted',
    severity: 'error',
    comment: "the OpenID Provider's library is loaded with OIDC=on, and by nobody else",
    from: { path: '^(src|web)/', pathNot: '^src/oidc/(library|adapter)\\.ts$' },
    to: { path: 'node_modules/(@types/)?oidc-provider', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'oidc-loaded-late',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/oidc/' },
    to: {
      path: '^src/oidc/(provider|library|adapter|issuer-hints)\\.ts$',
      dependencyTypesNot: ['type-only', 'dynamic-import'],
    },
  },
  {
    name: 'login-known-by-composition-only',
    severity: 'error',
    from: { path: '^(src|web)/', pathNot: '^src/(oidc|composition)/' },
    to: { path: '^src/oidc/' },
  },
  {
    name: 'webauthn-by-its-ceremony',
    severity: 'error',
    comment: 'most checks ask no device: the page loads the library where one is asked',
    from: { path: '^(src|web)/', pathNot: '^web/capture/passkey/' },
    to: { path: 'node_modules/@simplewebauthn/browser/' },
  },
  {
    name: 'ceremony-loaded-late',
    severity: 'error',
    from: { path: '^web/' },
    to: { path: '^web/capture/passkey/ceremony\\.ts$', dependencyTypesNot: ['type-only', 'dynamic-import'] },
  },
  {
    name: 'webauthn-by-its-door',
    severity: 'error',
    comment: 'these files refuse what would make the library call other machines',
    from: { path: '^src/', pathNot: '^src/passkeys/(verify|attestation/attested)\\.ts$' },
    to: { path: 'node_modules/@simplewebauthn/server/' },
  },
  {
    name: 'onnxruntime-by-its-door',
    severity: 'error',
    comment: 'src/models/onnx-runtime.ts switches its telemetry off before it loads',
    from: { pathNot: '^src/models/onnx-runtime\\.ts$' },
    to: { path: 'onnxruntime-(node|common)' },
  },
  {
    name: 'sharp-by-its-door',
    severity: 'error',
    comment: 'src/pictures/sharp.ts closes the readers that nobody needs',
    from: { path: '^src/', pathNot: '^src/pictures/sharp\\.ts$' },
    to: { path: 'node_modules/sharp/' },
  },
  {
    name: 'no-circles',
    severity: 'error',
    comment: 'by type neither: a type that two files need stands in a third',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-circles-of-folders',
    severity: 'error',
    comment: 'tests and benches share their helpers, so they are left out',
    scope: 'folder',
    from: { path: '^(src|web)/' },
    to: { circular: true },
  },
  {
    name: 'nobody-imports-the-root',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/(cli|composition|config|doctor)/' },
    to: { path: '^src/(cli|composition|config|doctor)/' },
  },
);

module.exports = {
  forbidden,
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: { path: '^(dist|data|build)/' },
  },
};
