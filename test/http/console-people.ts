// People who sign in to the console by OpenID Connect, each in a browser of their own.
import { createOpenidConfiguration } from '../../src/console/openid/configuration.ts';
import type { OpenidSettings } from '../../src/console/openid-settings.ts';
import { createOpenidStore } from '../../src/console/tables/openid-store.ts';
import { CSRF_HEADER, OPENID_SIGN_IN } from '../../src/contract/console.ts';
import type { App } from '../../src/http/app-type.ts';
import type { OpenidProvider } from '../support/openid-provider.ts';
import type { HttpRig } from './http-rig.ts';

export const CONSOLE_URL = 'http://likeness.test';

export const settingsFor = ({ issuer }: OpenidProvider): OpenidSettings => ({
  name: 'Company SSO',
  issuer,
  client_id: 'likeness-console',
  console_url: CONSOLE_URL,
  scope: 'openid profile',
  roles_claim: 'groups',
  roles: { viewer: ['auditors', 'support'], operator: ['support-leads'], administrator: ['platform'] },
});

export const configurationOf = ({ db, custody }: Pick<HttpRig, 'db' | 'custody'>) =>
  createOpenidConfiguration(createOpenidStore(db), custody);

export type Browser = ReturnType<typeof createBrowser>;

/** A browser with its cookies. */
export function createBrowser(app: App, remoteAddress = '10.0.0.1') {
  const cookies = new Map<string, string>();
  let csrf = '';
  const inject = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    headers: Record<string, string> = {},
    payload?: object,
  ) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await app.inject({
      method,
      url,
      remoteAddress,
      headers: { cookie, ...headers },
      ...(payload && { payload }),
    });
    for (const { name, value } of answer.cookies) {
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  return {
    cookies,
    inject,
    /** Calls /console/api as the page does. */
    ask: (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
      inject(method, `/console/api${path}`, { [CSRF_HEADER]: csrf }, body),
    async signInByPassword(password: string): Promise<void> {
      csrf = (await inject('POST', '/console/api/login', {}, { password })).json().csrf_token;
    },
    /** Starts to sign in; returns the provider's address. */
    async begin(): Promise<string> {
      return (await inject('GET', OPENID_SIGN_IN)).headers.location as string;
    },
    /** Comes back from the provider; returns where it ends. */
    async comeBack(to: URL): Promise<string> {
      return (await inject('GET', to.pathname + to.search)).headers.location as string;
    },
    /** Signs in from beginning to end; returns where it ends. */
    async signIn(provider: OpenidProvider): Promise<string> {
      const end = await this.comeBack(await provider.visit(await this.begin()));
      const session = await inject('GET', '/console/api/session');
      csrf = session.statusCode === 200 ? session.json().csrf_token : '';
      return end;
    },
  };
}
