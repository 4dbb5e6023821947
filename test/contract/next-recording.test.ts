import { expect, it } from 'vitest';
import { leadsToRecording, withNextRecording } from '../../src/contract/next-recording.ts';

it('announces another recording only at an address of this service that says so', () => {
  const own = 'https://faces.example/check/oidc/interaction/x';
  const marked = withNextRecording(own);
  expect(new URL(marked).pathname).toBe(new URL(own).pathname);
  expect(leadsToRecording(marked, 'https://faces.example')).toBe(true);
  expect(leadsToRecording(own, 'https://faces.example')).toBe(false);
  expect(leadsToRecording(withNextRecording('https://shop.example/'), 'https://faces.example')).toBe(false);
  expect(leadsToRecording('myapp://done?next_recording=', 'https://faces.example')).toBe(false);
});
