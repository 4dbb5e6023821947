import { defineConfig } from 'vitest/config';

const shared = {
  globalSetup: ['test/support/postgres.ts'],
  testTimeout: 60_000,
  // A loaded machine is slow, not wrong.
  expect: { poll: { timeout: 10_000 } },
  hookTimeout: 120_000,
};

// The page in a browser before a camera that plays a script: after the rooms, as many at a time as there are processors.
const pages = ['test/web/capture-*.test.ts', 'test/web/gallery.test.ts', 'test/web/served-pages.test.ts'];
// Whole services, their judgement included, react in real time to a person in a browser: they come last and one file at
// a time, so that no other test takes the processor from the person before the camera.
const journeys = ['test/end-to-end/**/*.test.ts', 'test/torture/**/*.test.ts'];
// Minutes each: `npm run test:slow`, and by name `npm test -- test/slow/…`.
const slow = ['test/slow/**/*.test.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'rooms',
          include: ['test/**/*.test.ts'],
          exclude: [...pages, ...journeys, ...slow],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'pages',
          include: pages,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
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
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
