// Limits of an OpenID client's settings, for the console's page, its API and the command line. Separate from the
// schemas, so that the page does not have to load those.

/** Longest name or purpose, in characters. */
export const MAX_TEXT_CHARS = 300;
/** Longest addition to the consent text: one to three paragraphs. Longer text belongs in the privacy notice. */
export const MAX_CONSENT_CHARS = 1_000;
export const MAX_URL_CHARS = 2_048;
export const MAX_REDIRECT_URIS = 20;
/** Longest time for which one check covers further logins: a day. */
export const MAX_SESSION_SECONDS = 86_400;
