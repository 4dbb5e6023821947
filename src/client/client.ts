// The client: one method per API call.
import type {
  CreateChallengeRequest,
  CreateChallengeResponse,
  NotificationConfiguration,
} from '../contract/challenge-request.ts';
import type { Delivery, DeliveryList, TestDelivery } from '../contract/delivery.ts';
import type { Device } from '../contract/device.ts';
import type { PictureFeatid } from '../contract/picture.ts';
import type { ChallengeResult, ChallengeSummary } from '../contract/result.ts';
import type { ChallengeStatus } from '../contract/states.ts';
import { type CallOptions, type ClientOptions, Transport } from './transport.ts';

export interface ListFilters {
  readonly status?: ChallengeStatus;
  readonly customer_reference?: string;
  /** ISO 8601, inclusive. */
  readonly created_after?: string;
  /** ISO 8601, exclusive. */
  readonly created_before?: string;
  /** 1–100, default 20. */
  readonly limit?: number;
  /** `next_cursor` of the previous page. */
  readonly cursor?: string;
}

export interface ChallengePage {
  readonly data: ChallengeSummary[];
  readonly next_cursor: string | null;
}

/**
 * A client of one region and one account. Every method rejects with LikenessProblem if the service refuses, and with
 * LikenessUnreachable if no answer came.
 */
export class Likeness {
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
  }

  /** Creates a challenge; give its `challenge_url` to the person, and to nobody else. */
  createChallenge(body: CreateChallengeRequest, options?: CallOptions): Promise<CreateChallengeResponse> {
    return this.#transport.call({ method: 'POST', path: '/v1/create-challenge', body }, options);
  }

  /** The challenge with its result so far, and fresh links to its assets. */
  getChallenge(challengeId: string, options?: CallOptions): Promise<ChallengeResult> {
    return this.#transport.call({ method: 'GET', path: challengePath(challengeId) }, options);
  }

  /** The signed receipt of the result (a compact JWS). Keep a copy: it is deleted with the challenge. */
  getReceipt(challengeId: string, options?: CallOptions): Promise<string> {
    return this.#transport.call({ method: 'GET', path: `${challengePath(challengeId)}/receipt` }, options);
  }

  /** One page of challenges, newest first. */
  listChallenges(filters: ListFilters = {}, options?: CallOptions): Promise<ChallengePage> {
    return this.#transport.call({ method: 'GET', path: '/v1/challenges', query: { ...filters } }, options);
  }

  /** Every challenge that matches the filters, newest first; fetches page after page. */
  async *eachChallenge(filters: ListFilters = {}, options?: CallOptions): AsyncGenerator<ChallengeSummary> {
    for (let cursor = filters.cursor; ; ) {
      const page = await this.listChallenges({ ...filters, ...(cursor ? { cursor } : {}) }, options);
      yield* page.data;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  /** Ends an open challenge: its link stops working, and no notification is sent. */
  cancelChallenge(challengeId: string, options?: CallOptions): Promise<ChallengeResult> {
    return this.#transport.call({ method: 'POST', path: `${challengePath(challengeId)}/cancel` }, options);
  }

  /** Erases video, frames, result and template; its FeatureID becomes worthless. */
  eraseChallenge(challengeId: string, options?: CallOptions): Promise<void> {
    return this.#transport.call({ method: 'DELETE', path: challengePath(challengeId) }, options);
  }

  /**
   * Makes a FeatureID from one picture (JPEG, PNG, WebP or BMP) of a person who looks ahead. It counts as `source:
   * image`, never as live. For an unusable picture it rejects with problem kind `picture-unusable`; `faults[0].code`
   * says why.
   */
  createFeatid(picture: Uint8Array, options?: CallOptions): Promise<PictureFeatid> {
    return this.#transport.call({ method: 'POST', path: '/v1/featids', picture }, options);
  }

  /** Destroys the template of a FeatureID; the string is worthless from then on. */
  revokeFeatid(featid: string, options?: CallOptions): Promise<void> {
    return this.#transport.call({ method: 'POST', path: '/v1/featids/revoke', body: { featid } }, options);
  }

  /** Ends the pause of a FeatureID after failed comparisons (problem kind `featid-paused`). */
  unlockFeatid(featid: string, options?: CallOptions): Promise<void> {
    return this.#transport.call({ method: 'POST', path: '/v1/featids/unlock', body: { featid } }, options);
  }

  /** The devices that can sign for a FeatureID, oldest first. */
  async listDevices(featid: string, options?: CallOptions): Promise<Device[]> {
    const call = { method: 'POST', path: '/v1/featids/devices', body: { featid } } as const;
    return (await this.#transport.call<{ data: Device[] }>(call, options)).data;
  }

  /** Destroys the public key of a device: it signs for its FeatureID no more. The face and other devices stay. */
  revokeDevice(deviceId: string, options?: CallOptions): Promise<void> {
    const path = `/v1/featids/devices/${encodeURIComponent(deviceId)}`;
    return this.#transport.call({ method: 'DELETE', path }, options);
  }

  /** Webhook deliveries of a challenge, each with its attempts, oldest first. */
  async listDeliveries(challengeId: string, options?: CallOptions): Promise<Delivery[]> {
    const path = `${challengePath(challengeId)}/deliveries`;
    return (await this.#transport.call<DeliveryList>({ method: 'GET', path }, options)).data;
  }

  /** Sends a delivery again at once, unless it was cancelled or is a test. */
  redeliver(deliveryId: string, options?: CallOptions): Promise<Delivery> {
    const path = `/v1/deliveries/${encodeURIComponent(deliveryId)}/redeliver`;
    return this.#transport.call({ method: 'POST', path }, options);
  }

  /** Sends one signed sample to an endpoint and reports what came back. */
  testWebhook(endpoint: NotificationConfiguration, options?: CallOptions): Promise<TestDelivery> {
    return this.#transport.call({ method: 'POST', path: '/v1/webhooks/test', body: endpoint }, options);
  }
}

function challengePath(challengeId: string): string {
  return `/v1/challenges/${encodeURIComponent(challengeId)}`;
}
