// A field that searches once nobody has typed for a moment.
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';

/** Shorter than a pause between words. Chosen, not measured. */
const DELAY_MS = 300;

/** `onSearch` gets the text without spaces around it. */
export function SearchField({
  placeholder,
  onSearch,
}: {
  placeholder: string;
  onSearch: (text: string) => void;
}) {
  const search = useDebouncedCallback((text: string) => onSearch(text.trim()), DELAY_MS);
  return (
    <TextInput
      type="search"
      label="Search"
      placeholder={placeholder}
      onChange={(event) => search(event.currentTarget.value)}
      flex="1 1 16rem"
    />
  );
}
