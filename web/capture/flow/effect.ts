// What the state machine asks for: the other half of its vocabulary (screens.ts).
import type { PasskeyAnswer, PasskeyAsk } from '../../../src/contract/device.ts';
import type { PageEventRequest } from '../../../src/contract/page-event.ts';
import type { SandboxOutcome } from '../../../src/contract/sandbox.ts';
import type { Followed } from '../api/device.ts';
import type { MadeKey } from '../passkey/disown.ts';
import type { DeviceWay } from '../passkey/support.ts';
import type { IssuedCapture } from './screens.ts';

/** What has to be done outside the machine after a transition; carried out by effects.ts. */
export type Effect =
  | { readonly do: 'load' }
  | { readonly do: 'begin'; readonly consent: 'given' | 'declined' | null }
  | { readonly do: 'open_camera'; readonly id: string | null }
  | { readonly do: 'end_as'; readonly outcome: SandboxOutcome }
  | { readonly do: 'stop_camera' }
  | { readonly do: 'remind'; readonly afterMs: number }
  | { readonly do: 'watch_permission' }
  | { readonly do: 'follow'; readonly target: Followed }
  | { readonly do: 'stop_following' }
  | { readonly do: 'report'; readonly event: PageEventRequest }
  /** Tries the way of the recording's bytes; says so only if the network refuses them. */
  | { readonly do: 'try_way' }
  | { readonly do: 'guide' }
  | { readonly do: 'slow_guidance' }
  | { readonly do: 'offer_manual'; readonly afterMs: number }
  | { readonly do: 'tick'; readonly afterMs: number }
  | { readonly do: 'wait'; readonly untilMs: number }
  | { readonly do: 'explain_delay'; readonly afterMs: number }
  | { readonly do: 'rehearse' }
  | { readonly do: 'issue_capture' }
  | { readonly do: 'record'; readonly capture: IssuedCapture }
  | { readonly do: 'upload' }
  | { readonly do: 'prepare_device'; readonly ask: PasskeyAsk }
  | { readonly do: 'ask_device'; readonly ask: PasskeyAsk; readonly way: DeviceWay }
  | { readonly do: 'stop_asking' }
  | { readonly do: 'answer_device'; readonly answer: PasskeyAnswer }
  | { readonly do: 'disown'; readonly key: MadeKey }
  | { readonly do: 'await_outcome' }
  /** Asks whether the check is over, or went elsewhere: where the page gave a recording up, or was out of sight. */
  | { readonly do: 'ask_whether_over' }
  | { readonly do: 'redirect'; readonly url: string };
