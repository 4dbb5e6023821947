import { describe, expect, it } from 'vitest';
import { EXCERPT_CHARACTERS, excerptOf } from '../../src/webhook/excerpt.ts';

const secret = 'a+b/"c" ünd=';

describe('excerpts', () => {
  it('remove secrets in every usual encoding', () => {
    const spellings = [
      secret,
      JSON.stringify(secret),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
    ];
    for (const spelling of spellings) {
      const excerpt = excerptOf(Buffer.from(`you sent ${spelling}, thanks`), [secret]);
      expect(excerpt).toContain('[redacted]');
      expect(excerpt).not.toContain(spelling.replaceAll('"', ''));
    }
  });

  it('remove tokens as other libraries encode them', () => {
    const token = 'ab/cd+ef==&gh.ij-kl_mn~1234567890';
    for (const echoed of [
      // PHP's json_encode, Gson, System.Text.Json.
      token.replaceAll('/', '\\/'),
      token.replaceAll('=', '\\u003d').replaceAll('&', '\\u0026'),
      token.replaceAll('+', '\\u002B').replaceAll('&', '\\u0026'),
      new URLSearchParams({ token }).toString(),
      encodeURIComponent(token).toLowerCase(),
      token.replaceAll('&', '&amp;'),
    ]) {
      const excerpt = excerptOf(Buffer.from(`<${echoed}>`), [token]);
      expect(excerpt).toMatch(/^<(token=)?\[redacted\]>$/);
    }
  });

  it('remove secrets before truncating, so that no part of one remains at the end', () => {
    const body = `${'x'.repeat(EXCERPT_CHARACTERS - 5)}${secret}`;
    expect(excerptOf(Buffer.from(body), [secret])).not.toContain('a+b');
  });

  it('are short, printable, whole characters, or null', () => {
    expect(excerptOf(Buffer.from('🙂'.repeat(5_000)), [])).toBe('🙂'.repeat(EXCERPT_CHARACTERS));
    expect(excerptOf(Buffer.from('a\u0000\u0007b\r\nc\u009bd'), [])).toBe('a b c d');
    // Characters that reverse the direction of the text.
    expect(excerptOf(Buffer.from('ok \u202e\u2066exe.ti\u2069'), [])).toBe('ok  exe.ti');
    expect(excerptOf(Buffer.from([0xff, 0xfe, 0x00]), [])).toBeNull();
    expect(excerptOf(Buffer.alloc(0), [])).toBeNull();
  });
});
