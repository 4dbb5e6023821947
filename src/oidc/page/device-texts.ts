// What a client asks of the person's device, in words.
import type { DeviceBinding } from '../../contract/device.ts';

export const DEVICE_TEXTS: Record<DeviceBinding, string> = {
  off: 'not asked',
  offer: 'asked for a passkey',
  require: 'must have a passkey',
};
