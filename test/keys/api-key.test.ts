import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base62Length, fromBase62, toBase62 } from '../../src/base/checked-token.ts';
import {
  generateApiKey,
  hashApiKey,
  hintOfApiKey,
  parseApiKey,
  readAuthorization,
} from '../../src/keys/api-key.ts';
import { changeOneCharacter } from '../support/tamper.ts';

describe('base62', () => {
  test('reads back what it wrote, in a fixed number of digits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), (bytes) => {
        const text = toBase62(bytes);
        expect(text).toHaveLength(base62Length(bytes.length));
        expect(fromBase62(text, bytes.length)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test('has one spelling for every value, and refuses numbers above the size', () => {
    expect(fromBase62('zzzzzz', 4)).toBeUndefined();
    expect(fromBase62('4gfFC3', 4)).toEqual(Buffer.from('ffffffff', 'hex'));
    expect(fromBase62('4gfFC4', 4)).toBeUndefined();
  });
});

const PREFIXES = [
  ['live', 'lk_live_'],
  ['dev', 'lk_live_dev_'],
  ['test', 'lk_test_'],
] as const;

describe('API keys', () => {
  test('show their kind and can be parsed', () => {
    for (const [kind, prefix] of PREFIXES) {
      const key = generateApiKey(kind);
      expect(key.text).toMatch(RegExp(`^${prefix}[0-9A-Za-z]{49}$`));
      expect(key.sandbox).toBe(kind === 'test');
      expect(parseApiKey(key.text)).toEqual(key);
    }
  });

  test('always detect a change of one character', () => {
    fc.assert(
      fc.property(changeOneCharacter(generateApiKey('live').text), (changed) => {
        expect(parseApiKey(changed)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  test('have a hint that reveals only the last four characters', () => {
    for (const [kind, prefix] of PREFIXES) {
      const key = generateApiKey(kind);
      expect(hintOfApiKey(key)).toBe(`${prefix}…${key.text.slice(-4)}`);
    }
  });

  test('are looked up by the SHA-256 of their text', () => {
    const key = generateApiKey('live');
    expect(hashApiKey(key)).toEqual(createHash('sha256').update(key.text).digest());
  });
});

describe('the Authorization header', () => {
  const { text } = generateApiKey('live');
  const { text: dev } = generateApiKey('dev');
  const base64 = (value: string) => Buffer.from(value).toString('base64');

  test.each([
    ['the raw key', `Basic ${text}`],
    ['any case of the scheme', `bASIC   ${text}`],
    ['base64 of the key and a colon', `Basic ${base64(`${text}:`)}`],
    ['base64 with a password part', `Basic ${base64(`${text}:x:y`)}`],
    ['base64 of a key of development', `Basic ${base64(`${dev}:`)}`, dev],
  ])('is accepted as %s', (_name, header, key = text) => {
    expect(readAuthorization(header)?.text).toBe(key);
  });

  test.each([
    ['nothing', undefined],
    ['another scheme', `Bearer ${text}`],
    ['no credentials', 'Basic '],
    ['two credentials', `Basic ${text} ${text}`],
    ['base64 without a colon', `Basic ${base64(text)}`],
    ['the key as a password', `Basic ${base64(`user:${text}`)}`],
    ['a key of another kind', `Basic ${text.replace('live', 'next')}`],
    ['a very long header', `Basic ${base64(`${text}:${'x'.repeat(5000)}`)}`],
  ])('is refused with %s', (_name, header) => {
    expect(readAuthorization(header)).toBeUndefined();
  });

  test('is parsed or refused for any text, without a crash', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readAuthorization(`Basic ${text}`)).toBeUndefined();
        expect(readAuthorization(`Basic ${base64(text)}`)).toBeUndefined();
      }),
    );
  });
});
