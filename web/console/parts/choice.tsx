// A filter with several options.
import { NativeSelect } from '@mantine/core';
import { wordsOf } from './words.ts';

interface ChoiceProps {
  readonly label: string;
  readonly options: readonly string[];
  /** The option that is set; empty for any. */
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

export function Choice({ label, options, value = '', onChange }: ChoiceProps) {
  return (
    <NativeSelect
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: '', label: 'any' },
        ...options.map((option) => ({ value: option, label: wordsOf(option) })),
      ]}
    />
  );
}
