// The devices of a FeatureID for the client's server: listed and revoked by their account alone.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpRig, type HttpRig } from './http-rig.ts';

let rig: HttpRig;
beforeAll(async () => {
  rig = await createHttpRig();
});
afterAll(() => rig.close());

const SINCE = '2026-01-31T09:30:00.123Z';

/** A FeatureID of the rig's account with one device; resolves with the FeatureID and the device's id. */
async function bound() {
  const featid = await rig.makeFeatid();
  const key = { credentialId: 'AQID', publicKey: 'BAUG', transports: ['hybrid', 'internal'] };
  const deviceId = await rig.addDevice(featid, { ...key, signCount: 3, backedUp: true }, SINCE);
  return { featid, deviceId };
}

const list = (featid: unknown, headers: Record<string, string> = {}) =>
  rig.call('POST', '/v1/featids/devices', { featid }, headers);
const revoke = (deviceId: string, headers: Record<string, string> = {}) =>
  rig.call('DELETE', `/v1/featids/devices/${deviceId}`, undefined, headers);

it('lists what a client may know of a device, and nothing of its key', async () => {
  const { featid, deviceId } = await bound();
  const listed = await list(featid);
  expect(listed.statusCode).toBe(200);
  expect(listed.json()).toEqual({
    data: [{ device_id: deviceId, since: SINCE, backed_up: true, transports: ['hybrid', 'internal'] }],
  });
  expect((await list(await rig.makeFeatid())).json()).toEqual({ data: [] });
});

it('revokes once', async () => {
  const { featid, deviceId } = await bound();
  expect((await revoke(deviceId)).statusCode).toBe(204);
  expect((await revoke(deviceId)).statusCode).toBe(404);
  expect((await list(featid)).json()).toEqual({ data: [] });
});

it('shows and revokes nothing of another account', async () => {
  const { featid, deviceId } = await bound();
  const { key } = await rig.makeAccount('somebody else');
  const stranger = { authorization: `Basic ${key}` };
  expect((await list(featid, stranger)).json()).toMatchObject({ errors: [{ code: 'featid_unknown' }] });
  expect((await revoke(deviceId, stranger)).statusCode).toBe(404);
  expect((await list(featid)).json()).toMatchObject({ data: [{ device_id: deviceId }] });
});

it.each([
  ['no FeatureID', 'something', 'featid_invalid'],
  ['not a text', 7, 'wrong_type'],
  ['nothing', undefined, 'required'],
])('refuses %s with its pointer', async (_, featid, code) => {
  const answer = await list(featid);
  expect(answer.statusCode).toBe(422);
  expect(answer.json()).toMatchObject({ errors: [{ pointer: '/featid', code }] });
});
