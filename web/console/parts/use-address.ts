// The address after `#`: the page, and the filters that belong to it, so that both can be linked to and reloaded.
import { useHash } from '@mantine/hooks';

/** The page, such as `/challenges/ch_…`, and its filters. */
export function useAddress(): { readonly path: string; readonly query: URLSearchParams } {
  const [hash] = useHash({ getInitialValueInEffect: false });
  const [path, query] = hash.slice(1).split('?');
  return { path: path || '/', query: new URLSearchParams(query) };
}

/** Filters in the address: those that are set, and how to set one. An empty value takes it off. */
export function useFilters<Name extends string>(
  names: readonly Name[],
): readonly [Readonly<Partial<Record<Name, string>>>, (name: Name, value: string) => void] {
  const { path, query } = useAddress();
  const filters = Object.fromEntries(
    names.flatMap((name) => (query.get(name) ? [[name, query.get(name)!]] : [])),
  ) as Partial<Record<Name, string>>;
  const set = (name: Name, value: string) => {
    if (value) query.set(name, value);
    else query.delete(name);
    // Replaced, because going back leaves the page instead of undoing its filters.
    location.replace(`#${path}${query.size > 0 ? `?${query}` : ''}`);
  };
  return [filters, set];
}
