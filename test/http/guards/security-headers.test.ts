import { expect, test } from 'vitest';
import { securityHeaders } from '../../../src/http/guards/security-headers.ts';

const ALWAYS = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none';base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
};

test('are as listed, with HSTS over https', async () => {
  expect(await securityHeaders(false)).toEqual(ALWAYS);
  expect(await securityHeaders(true)).toEqual({
    ...ALWAYS,
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  });
});
