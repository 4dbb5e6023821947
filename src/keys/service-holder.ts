// The names under which custody finds the service's own keys.
const PREFIX = 'service_';

/** The {@link KeyHolder} of a key of the service's own. No account has this id: theirs have another prefix. */
export const serviceHolder = (name: string): string => `${PREFIX}${name}`;

export const isServiceHolder = (holder: string): boolean => holder.startsWith(PREFIX);
