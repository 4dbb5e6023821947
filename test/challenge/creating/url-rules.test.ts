import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calledUrlFaults, exitUrlFaults, webUrlFaults } from '../../../src/challenge/creating/url-rules.ts';
import { LOOPBACK_HOSTS, parseAllowList } from '../../../src/outbound/address.ts';
import { refusedTarget } from '../../../src/outbound/refused-target.ts';
import { REFUSED_ADDRESSES } from '../../outbound/refused-addresses.ts';

/** The page that would open an exit URL. */
const PAGE = 'https://likeness.example/c/token';
const isExit = (text: string) => exitUrlFaults(text, '/x').length === 0;
const codeOf = (text: string) => exitUrlFaults(text, '/x')[0]?.code;

const HANDLERS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'vbscript:x',
  'data:text/html,x',
  'blob:https://a.example/1',
  'about:blank',
  'file:///etc/passwd',
  'filesystem:https://a.example/x',
  'view-source:https://a.example/',
  'feed:javascript:alert(1)',
  'feed://a.example/',
  'jar:https://a.example/x!/y',
  'mhtml:https://a.example/',
  'intent://x#Intent;end',
  'android-app://com.example/https/x',
  'market://details?id=x',
  'package:com.example',
  'ms-msdt:/id PCWDiagnostic',
  'ms-word:ofe|u|https://a.example/x',
  'ms-settings:privacy',
  'search-ms:query=x',
  'ms-officecmd:{}',
  'microsoft-edge:https://a.example/',
  'shell:startup',
  'hcp://x',
  'ms-appinstaller:?source=x',
  'itms-services://?action=download-manifest',
  'itms-apps://x',
  'prefs:root=General',
  'x-apple.systempreferences:x',
  'tel:112',
  'sms:112',
  'mailto:a@example.com',
  'facetime:a',
  'smb://a.example/x',
  'ftp://a.example/',
  'ssh://a',
  'ws://a.example/',
  'wss://a.example/',
  'chrome://settings',
  'chrome-extension://x/y',
  'moz-extension://x/y',
  'vscode://x/y',
  'vscode-insiders://x',
  'jetbrains://idea/x',
  'steam://run/1',
  'rdp://x',
  'git+ssh://a/b',
  'c:/windows/system32/cmd.exe',
  'C:\\x',
  'urn:x:y',
  'res://x',
  'resource://x',
  'ldap://x',
  'telnet://x',
];

describe('an exit URL', () => {
  it.each(HANDLERS)('%j is refused by its scheme', (text) => {
    expect(codeOf(text)).toBe('url_scheme_not_allowed');
  });

  it.each([
    '',
    ' ',
    'nowhere',
    '//a.example/',
    '/relative',
    'https://',
    'https://a.example/\n',
    'java\tscript:alert(1)',
    'https://a.example/\u202Egpj.exe',
    'https://\u2066a.example/',
    'myapp://\u200Fopen',
    'https://user@a.example/',
    'https://u:p@a.example/',
    'myapp://u:p@x/',
    ' https://a.example/',
    'my_app://x',
    // An address on its own, but a relative path within one of our pages.
    'https:a.example',
    'https:/a.example',
    'http:\\\\a.example',
  ])('%j is refused as a URL', (text) => {
    expect(codeOf(text)).toBe('invalid_url');
  });

  it.each([
    'https://a.example',
    'HTTPS://A.example/x?y#z',
    'http://127.0.0.1:8080/done',
    'https://münchen.example/',
    'myapp://done',
    'MyApp://done',
    'myapp:done',
    'myapp:///x',
    'com.example.app:/back',
    'com.example.app://x?y=1',
    'acme-bank://checked',
    'fb123456://authorize',
    'myapp://host:8080/x',
    'myapp://open?next=https://a.example/',
    'tg://resolve?domain=x',
  ])('%j is accepted', (text) => {
    expect(exitUrlFaults(text, '/x')).toEqual([]);
  });

  const anyCase = (text: string) =>
    fc
      .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
      .map((upper) => [...text].map((char, at) => (upper[at] ? char.toUpperCase() : char)).join(''));
  const schemes = fc.constantFrom(...HANDLERS.map((text) => text.slice(0, text.indexOf(':'))));

  it('never has the scheme of a known handler, in any spelling and with any rest', () => {
    const rest = fc.oneof(fc.string(), fc.webPath(), fc.constant('//a.example/'));
    fc.assert(
      fc.property(
        schemes.chain(anyCase),
        rest,
        fc.constantFrom('', ' ', '\t', '\n', '\u0000'),
        (scheme, tail, lead) => {
          expect(isExit(`${lead}${scheme}:${tail}`)).toBe(false);
        },
      ),
    );
  });

  it("with an app's own scheme never contains a second scheme, however often it is encoded", () => {
    const encode = (text: string, times: number) =>
      Array.from({ length: times }).reduce<string>(encodeURIComponent, text);
    fc.assert(
      fc.property(
        schemes.chain(anyCase),
        fc.constantFrom('', '/', '//', ' '),
        fc.nat({ max: 4 }),
        (scheme, gap, times) => {
          const nested = `myapp:${gap}${encode(`${scheme}:`, times)}alert(1)`;
          expect(isExit(nested)).toBe(false);
        },
      ),
    );
  });

  it('resolves to the same address on its own and in the page that opens it', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'https',
        'http',
        'myapp',
        'com.example.app',
        'javascript',
        'feed',
        ':',
        '/',
        '//',
        '\\',
        '@',
        '?',
        '#',
      ),
      fc.constantFrom(' ', '\t', '%3A', '..', 'a.example', '127.0.0.1', '[::1]', 'é', '\u202e', ''),
      fc.string({ maxLength: 4 }),
    );
    const start = fc.constantFrom(
      'https://',
      'http://',
      'https:',
      'http:/',
      'myapp:',
      'myapp://',
      'com.example.app:/',
      '',
      ' ',
    );
    let taken = 0;
    fc.assert(
      fc.property(start, fc.array(part, { maxLength: 6 }), (begin, parts) => {
        const text = begin + parts.join('');
        if (!isExit(text)) return;
        taken += 1;
        const alone = new URL(text);
        expect(new URL(text, PAGE).href).toBe(alone.href);
        expect(alone.protocol).toMatch(/^(https?|[a-z][a-z0-9.-]+):$/);
      }),
      { numRuns: 3_000 },
    );
    expect(taken).toBeGreaterThan(50);
  });

  it("with an app's reverse-domain scheme is accepted", () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9]{3,10}$/);
    const reversed = fc
      .tuple(fc.constantFrom('org', 'de', 'io'), name, name)
      .map((labels) => labels.join('.'));
    // A path that contains a colon is refused by another rule.
    const plain = fc.webPath().filter((path) => !decodeURIComponent(path).includes(':'));
    fc.assert(
      fc.property(reversed, plain, (scheme, path) => {
        expect(isExit(`${scheme}:/${path.replace(/^\/+/, '')}`)).toBe(true);
      }),
    );
  });
});

describe('a link of the page', () => {
  it.each(['https://a.example/terms', 'http://a.example'])('%j is accepted', (text) => {
    expect(webUrlFaults(text, '/x')).toEqual([]);
  });

  it.each([...HANDLERS, 'myapp://x', 'com.example.app:/x'])('%j is refused by its scheme', (text) => {
    expect(webUrlFaults(text, '/x')).toMatchObject([{ code: 'url_scheme_not_allowed' }]);
  });

  it.each([
    'https:a.example',
    ' https://a.example/',
    'https://u:p@a.example/',
  ])('%j is refused as a URL', (text) => {
    expect(webUrlFaults(text, '/x')).toMatchObject([{ code: 'invalid_url' }]);
  });
});

describe('a URL that the server calls', () => {
  const under = (allow: string[]) => {
    const list = parseAllowList(allow);
    const settings = { refusedTarget: (url: URL) => refusedTarget(url, list) };
    return (text: string) => calledUrlFaults(text, '/x', { settings })[0]?.code;
  };
  const strict = under([]);

  it.each(REFUSED_ADDRESSES)('is refused at %s (%s)', (host) => {
    expect(strict(`http://${host}/`)).toBe('address_not_allowed');
    expect(strict(`https://${host}:8443/hook`)).toBe('address_not_allowed');
  });

  it.each([
    '8.8.8.8',
    '[2606:4700::1111]',
    'a.example',
    'localhost.example',
    '127.0.0.1.example',
  ])('is accepted at %s', (host) => {
    expect(strict(`https://${host}/`)).toBeUndefined();
  });

  it.each([22, 25, 6667])('is refused at port %d, where other protocols listen', (port) => {
    expect(strict(`http://a.example:${port}/`)).toBe('port_not_allowed');
  });

  it.each([
    5432, 6379, 9200, 11211, 27017,
  ])('is refused at port %d, where databases and caches listen, unless the operator names the host', (port) => {
    for (const host of ['a.example', '8.8.8.8', '[2606:4700::1111]'])
      expect(strict(`https://${host}:${port}/`)).toBe('port_not_allowed');
    const named = under(['A.example', '10.0.0.0/8', '2606:4700::/32']);
    for (const host of ['a.example', '10.1.2.3', '[2606:4700::1111]'])
      expect(named(`https://${host}:${port}/`)).toBeUndefined();
    expect(named(`https://b.example:${port}/`)).toBe('port_not_allowed');
  });

  it('is accepted where the operator allows it, and on this machine in development', () => {
    const allowed = under(['10.0.0.0/8', 'fd00::/8', 'Hooks.Internal']);
    for (const host of ['10.1.2.3', '0xa010203', '[fd00::1]', '[::ffff:10.0.0.1]', 'hooks.internal']) {
      expect(allowed(`https://${host}/`)).toBeUndefined();
    }
    expect(allowed('https://192.168.0.1/')).toBe('address_not_allowed');
    const development = under([...LOOPBACK_HOSTS]);
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.1', '[::ffff:127.0.0.1]']) {
      expect(development(`http://${host}:3000/`)).toBeUndefined();
    }
    expect(development('http://169.254.169.254/')).toBe('address_not_allowed');
  });
});
