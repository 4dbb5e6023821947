// How commands show `device_result`.
import type { DeviceResult } from '../contract/device.ts';

/** A device result in one line, such as `bound, may be synchronised, since 2026-01-31T09:30:00.123Z`. */
export function deviceText({ status, backed_up, credential_since: since }: DeviceResult): string {
  if (since === null) return status;
  return `${status}, ${backed_up ? 'may be synchronised' : 'stays on the device'}, since ${since}`;
}
