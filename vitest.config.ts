import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const shared = {
  testTimeout: 60_000,
  // A loaded machine is slow, not wrong.
  expect: { poll: { timeout: 10_000 } },
  hookTimeout: 120_000,
};
const processors = availableParallelism();

// The page in a browser before a camera that plays a script: after the rooms, as many at a time as there are processors.
const pages = ['test/web/capture-*.test.ts'];
// Whole services, their judgement included, react in real time to a person in a browser: they come last and one file at
// a time, so that no other test takes the processor from the person before the camera.
const journeys = ['test/end-to-end/**/*.test.ts'];
// Adds a row to the tables that modules are made of: loads them for itself.
const alone = ['test/evaluation/liveness/every-prompt.test.ts'];
// Minutes each: `npm run test:slow`, and by name `npm test -- test/slow/…`.
const slow = ['test/slow/**/*.test.ts'];
// Those of them that are not judged in real time and measure nothing: as many at a time as there are processors.
const slowApart = [
  'test/slow/{attacks,cli,compile-models,confined,doctor,keys,lab,storage,support}/**/*.test.ts',
  'test/slow/evaluation/{liveness,pad,recognition}/**/*.test.ts',
  'test/slow/evaluation/!(growing).test.ts',
  'test/slow/oidc/{commands,rfc6749-*,rfc7523-*}/**/*.test.ts',
  'test/slow/packages/*.test.ts',
  'test/slow/web/{api-page,capture-*,console*,gallery*,passkey*,served-pages}.test.ts',
];
// Containers are built, run and killed: `npm run test:deploy`.
const deploy = ['test/deploy/**/*.test.ts'];

export default defineConfig({
  test: {
    reporters: ['default', './test/support/retried.ts'],
    // Once for all projects.
    globalSetup: ['test/support/postgres.ts'],
    // Files of the project that did not change are not compiled again.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          ...shared,
          name: 'rooms',
          // Loading the rooms anew for every file was a third of the time; no test changes a module.
          isolate: false,
          include: ['test/!(end-to-end)/**/*.test.ts'],
          exclude: [...pages, ...slow, ...deploy, ...alone],
          // Most files wait most of their time: for a database, a process, a retry.
          maxWorkers: processors + 1,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'pages',
          isolate: false,
          include: pages,
          maxWorkers: processors,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'alone',
          include: alone,
          maxWorkers: processors + 1,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'journeys',
          include: journeys,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          name: 'slow',
          include: slow,
          exclude: slowApart,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...shared,
          name: 'slow-apart',
          include: slowApart,
          maxWorkers: processors,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          ...shared,
          // The name begins like that of the slow ones: `npm test` leaves both out.
          name: 'slow-deploy',
          include: deploy,
          fileParallelism: false,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
});
