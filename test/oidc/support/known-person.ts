// A service with one client that knows one person. A request in the address bar may then name them, so that each
// refusal in a test has the reason under test.
import { logIn } from './log-in.ts';
import { createOidcRig, type OidcRig } from './oidc-rig.ts';
import { type Credentials, requestsOf } from './requests.ts';

export type Requests = ReturnType<typeof requestsOf>;

/** `rp`: the client. `by`: its hand-written requests. */
export async function createRigWithPerson(): Promise<{ rig: OidcRig; rp: Credentials; by: Requests }> {
  const rig = await createOidcRig();
  const rp = await rig.addClient();
  await logIn(rig, await rig.relyingParty(rp.id, rp.secret));
  return { rig, rp, by: requestsOf(rig, rp) };
}
