// The rooms of src/ and who may import whom (design: docs/decisions/0001-rooms.md). Run by `npm test`.
const rooms = {
  base: [],
  contract: [],
  keys: ['base'],
  models: ['base'],
  evaluation: ['contract', 'models', 'base'],
  measurement: ['evaluation', 'models', 'featid', 'plot', 'contract', 'base'],
  featid: ['idempotency', 'contract', 'keys', 'base'],
  outbound: ['contract', 'base'],
  webhook: ['contract', 'keys', 'outbound', 'base'],
  idempotency: ['keys', 'base'],
  challenge: ['idempotency', 'contract', 'keys', 'base'],
  plot: ['contract', 'base'],
  oidc: ['challenge', 'featid', 'contract', 'keys', 'base'],
  console: ['challenge', 'plot', 'webhook', 'oidc', 'keys', 'contract', 'base'],
  http: ['challenge', 'webhook', 'featid', 'idempotency', 'keys', 'console', 'oidc', 'contract', 'base'],
  jobs: ['challenge', 'evaluation', 'webhook', 'featid', 'oidc', 'idempotency', 'keys', 'contract', 'base'],
  client: ['contract'],
};
// Storage knows the rooms' ports by type only; at run time it needs nothing but base and keys.
const storageTypes = ['challenge', 'webhook', 'featid', 'idempotency', 'console', 'oidc', 'contract'];

const forbidden = Object.entries(rooms).map(([room, allowed]) => ({
  name: `room-${room}`,
  severity: 'error',
  comment: `src/${room} may import only: ${allowed.join(', ') || 'nothing of ours'}`,
  from: { path: `^src/${room}/` },
  to: { path: '^(src|web|bench|test|examples)/', pathNot: `^src/(${[room, ...allowed].join('|')})/` },
}));

forbidden.push(
  {
    name: 'room-storage',
    severity: 'error',
    from: { path: '^src/storage/' },
    to: { path: '^src/', pathNot: `^src/(storage|base|keys|${storageTypes.join('|')})/` },
  },
  {
    name: 'room-storage-types-only',
    severity: 'error',
    comment: 'storage implements ports: it imports their types, never their code',
    from: { path: '^src/storage/' },
    to: { path: `^src/(${storageTypes.join('|')})/`, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'web-imports-contract-only',
    severity: 'error',
    from: { path: '^web/(?!console/)' },
    to: { path: '^src/', pathNot: '^src/contract/' },
  },
  {
    name: 'console-imports-contract-and-shapes-only',
    severity: 'error',
    comment: 'its charts are drawn as those of documents are',
    from: { path: '^web/console/' },
    to: { path: '^src/', pathNot: '^src/(contract/|plot/shapes\\.ts$)' },
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
    name: 'onnxruntime-by-its-door',
    severity: 'error',
    comment: 'src/models/onnx-runtime.ts switches its telemetry off before it loads',
    from: { pathNot: '^src/models/onnx-runtime\\.ts$' },
    to: { path: 'onnxruntime-(node|common)' },
  },
  {
    name: 'sharp-by-its-door',
    severity: 'error',
    comment: 'src/base/sharp.ts closes the readers that nobody needs',
    from: { path: '^src/', pathNot: '^src/base/sharp\\.ts$' },
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
    from: { path: '^src/', pathNot: '^src/(cli|composition|config)/' },
    to: { path: '^src/(cli|composition|config)/' },
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
