// The environment's schema: what it refuses, and that it names the variable.
import { describe, expect, it } from 'vitest';
import { Environment } from '../../src/config/config.ts';
import { LIMITS } from '../../src/config/limits.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { DEFAULT_SETTINGS } from '../../src/evaluation/settings.ts';

describe('the configuration', () => {
  it('has at most 40 variables', () => {
    expect(Object.keys(Environment.properties).length).toBeLessThanOrEqual(40);
  });

  it('accepts no video larger than the judge does', () => {
    expect(LIMITS.maxUploadBytes).toBeLessThanOrEqual(DEFAULT_SETTINGS.video.maxBytes);
  });

  it('accepts passkeys of the host or of a domain above it', () => {
    const BASE_URL = 'https://faces.example.org:8443';
    for (const PASSKEY_RP_ID of ['faces.example.org', 'example.org'])
      expect(readConfig({ BASE_URL, PASSKEY_RP_ID }).PASSKEY_RP_ID).toBe(PASSKEY_RP_ID);
    for (const PASSKEY_RP_ID of [
      'ces.example.org',
      'example.com',
      'a.faces.example.org',
      'org',
      '.example.org',
    ])
      expect(() => readConfig({ BASE_URL, PASSKEY_RP_ID })).toThrow(/PASSKEY_RP_ID/);
    expect(() => readConfig({ PASSKEY_RP_ID: 'example.org' })).toThrow(/PASSKEY_RP_ID/);
  });

  it('leaves the metrics port undefined unless it is set', () => {
    expect(readConfig({}).METRICS_PORT).toBeUndefined();
    expect(readConfig({ METRICS_PORT: '9464' }).METRICS_PORT).toBe(9464);
    expect(readConfig({}).OPERATOR_HOST).toBe('127.0.0.1');
  });

  it('accepts only an address from which links can be made', () => {
    for (const BASE_URL of [
      'https://a.example/?x=1',
      'https://a.example/#part',
      'https://name:word@a.example',
      'https://name@a.example',
      'https:a.example',
      'ftp://a.example',
      'urn:a:b',
    ]) {
      expect(() => readConfig({ BASE_URL }), BASE_URL).toThrow(/BASE_URL/);
    }
    for (const BASE_URL of [
      'https://a.example/',
      'http://127.0.0.1:8080',
      'https://[2001:db8::1]:8443/faces/',
    ]) {
      expect(readConfig({ BASE_URL }).baseUrl).toBe(BASE_URL.replace(/\/$/, ''));
    }
  });

  it('accepts only frame ancestors that browsers read as intended', () => {
    for (const FRAME_ANCESTORS of [
      'https://a.example, https://b.example',
      "'self'; script-src *",
      'https://a.example\nhttps://b.example',
      'none',
      'self https://a.example',
      'https://ä.example',
    ]) {
      expect(() => readConfig({ FRAME_ANCESTORS }), FRAME_ANCESTORS).toThrow(/FRAME_ANCESTORS/);
    }
    for (const FRAME_ANCESTORS of [
      '*',
      "'none'",
      "'self' https://*.a.example:* http://[::1]:8080 myapp: https://none.example/self",
    ]) {
      expect(readConfig({ FRAME_ANCESTORS }).FRAME_ANCESTORS).toBe(FRAME_ANCESTORS);
    }
  });

  it('names the ways to give a master key where production has none', () => {
    const production = { MODE: 'production', BASE_URL: 'https://likeness.example' };
    expect(() => readConfig(production)).toThrow(/MASTER_KEY, MASTER_KEY_FILE and MASTER_KEY_MODULE/);
    expect(readConfig({ ...production, MASTER_KEY_FILE: '/run/secrets/key' }).MODE).toBe('production');
  });

  it('accepts a second factor only with a password, and only if it is long enough', () => {
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    expect(() => readConfig({ CONSOLE_TOTP_SECRET: secret })).toThrow(/CONSOLE_PASSWORD/);
    const CONSOLE_PASSWORD = 'long enough for a console';
    expect(readConfig({ CONSOLE_PASSWORD, CONSOLE_TOTP_SECRET: secret }).CONSOLE_TOTP_SECRET).toBe(secret);
    for (const weak of ['JBSWY3DPEHPK3PXP', 'no base32 at all, of course', '0'.repeat(32)]) {
      expect(() => readConfig({ CONSOLE_PASSWORD, CONSOLE_TOTP_SECRET: weak })).toThrow(
        /CONSOLE_TOTP_SECRET/,
      );
    }
  });

  it('says what is wrong and what is needed, and never the value', () => {
    const faultOf = (environment: Record<string, string>) => {
      try {
        readConfig(environment);
      } catch (error) {
        return (error as Error).message.replace('a configuration variable is missing or wrong: ', '');
      }
      return 'none';
    };
    for (const [environment, fault] of [
      [{ PORT: '99999' }, 'PORT must be a number from 0 to 65535'],
      [{ PORT: '8080,' }, 'PORT must be a whole number from 0 to 65535'],
      [{ ASSET_LINK_TTL_SECONDS: '1h' }, 'ASSET_LINK_TTL_SECONDS must be a whole number from 10 to 604800'],
      [{ MODE: 'prod' }, 'MODE must be one of development, production'],
      [{ WEBHOOK_REQUIRE_HTTPS: '1' }, 'WEBHOOK_REQUIRE_HTTPS must be true or false'],
      [{ PORT: 'x', ROLE: 'y' }, /^ROLE must .*; PORT must /],
      [{ MODE: '"production"' }, 'MODE: the quotes around the value count as part of it: remove them'],
      [{ DATA_DIR: "'/srv/likeness'" }, /^DATA_DIR: the quotes /],
    ] as const) {
      if (typeof fault === 'string') expect(faultOf(environment)).toBe(fault);
      else expect(faultOf(environment)).toMatch(fault);
    }
    for (const [name, secret, needed] of [
      ['MASTER_KEY', 'c2VjcmV0', 'openssl rand -base64 32'],
      ['DATABASE_URL', 'mysql://me:hunter2@db/likeness', 'PostgreSQL'],
      ['CONSOLE_PASSWORD', 'hunter2', 'at least 12 characters'],
      ['CONSOLE_TOTP_SECRET', 'hunter2', 'new-totp-secret'],
    ] as const) {
      expect(faultOf({ [name]: secret })).toMatch(name);
      expect(faultOf({ [name]: secret })).toMatch(needed);
      expect(faultOf({ [name]: secret })).not.toContain(secret);
    }
  });

  it('trims the white space that files and secret stores leave around a value', () => {
    const { MODE, MASTER_KEY, PORT, dataDir, CONSOLE_PASSWORD } = readConfig({
      MODE: 'development\r',
      MASTER_KEY: `${'A'.repeat(43)}=\n`,
      PORT: '  ',
      DATA_DIR: '/srv/likeness\r\n',
      CONSOLE_PASSWORD: ' spaces are mine \n',
    });
    expect([MODE, MASTER_KEY, PORT, dataDir]).toEqual([
      'development',
      `${'A'.repeat(43)}=`,
      8080,
      '/srv/likeness',
    ]);
    expect(CONSOLE_PASSWORD).toBe(' spaces are mine ');
  });
});
