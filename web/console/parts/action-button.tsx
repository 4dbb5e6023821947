// Buttons for what not every role may do, and for what cannot be undone.
import { Button, type ButtonProps } from '@mantine/core';
import { type KeyboardEvent, type MouseEvent, useState } from 'react';
import type { ConsoleRole } from '../../../src/contract/console.ts';
import { useRefusal } from './signed-in.ts';

interface ActionProps extends ButtonProps {
  readonly label: string;
  /** Asked on the first press, answered by the second: for what cannot be undone. */
  readonly confirm?: string;
  /** The least role that may press it; others see why they may not. */
  readonly needs?: ConsoleRole;
  readonly press: () => void;
}

/** The second half of a double click is not an answer. */
const isSecondClick = (event: MouseEvent): boolean => event.detail > 1;

/** A key held down is not an answer either. */
function ignoreHeldKey(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}

export function ActionButton(props: ActionProps) {
  const { label, confirm, needs = 'viewer', press, disabled = false, ...look } = props;
  const [asking, setAsking] = useState(false);
  const refusal = useRefusal(needs);
  const pressed = (event: MouseEvent) => {
    if (asking && isSecondClick(event)) return;
    if (confirm !== undefined) setAsking(!asking);
    if (asking || confirm === undefined) press();
  };
  return (
    <Button
      {...look}
      {...(asking && { color: 'red', variant: 'filled' })}
      disabled={disabled || refusal !== null}
      title={refusal ?? undefined}
      onClick={pressed}
      onKeyDown={ignoreHeldKey}
      onBlur={() => setAsking(false)}
    >
      {asking ? confirm : label}
    </Button>
  );
}
