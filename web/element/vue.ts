// <likeness-check> for Vue 3.
import { defineComponent, h, type PropType } from 'vue';
import {
  CHECK_ATTRIBUTES,
  CHECK_EVENTS,
  type CheckDetail,
  type CheckEvent,
  type CheckMode,
} from './element.ts';

/** Emits any of the events; the compiler only knows them one by one. */
type Emit = (event: CheckEvent, detail: CheckDetail) => void;

const emits = {
  ready: (_detail: CheckDetail) => true,
  opened: (_detail: CheckDetail) => true,
  completed: (_detail: CheckDetail) => true,
  cancelled: (_detail: CheckDetail) => true,
  failed: (_detail: CheckDetail) => true,
} satisfies Record<(typeof CHECK_EVENTS)[number], (detail: CheckDetail) => boolean>;

/** `<LikenessCheck :challenge-url="url" @completed="…" />`; events carry their detail. */
export const LikenessCheck = defineComponent({
  name: 'LikenessCheck',
  props: {
    challengeUrl: { type: String, required: true },
    mode: { type: String as PropType<CheckMode>, default: undefined },
    language: { type: String, default: undefined },
    label: { type: String, default: undefined },
  },
  emits,
  setup(props, { emit, slots }) {
    const listeners = Object.fromEntries(
      CHECK_EVENTS.map((event) => [
        `on${event[0]!.toUpperCase()}${event.slice(1)}`,
        ({ detail }: CustomEvent<CheckDetail>) => (emit as Emit)(event, detail),
      ]),
    );
    return () => {
      // `^` makes it an attribute: properties would be set before the element is defined.
      const attributes = Object.entries(CHECK_ATTRIBUTES).map(([name, property]) => [
        `^${name}`,
        props[property],
      ]);
      return h('likeness-check', { ...Object.fromEntries(attributes), ...listeners }, slots.default?.());
    };
  },
});
