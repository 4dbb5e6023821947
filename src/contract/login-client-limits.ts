// Limits of an OpenID client's settings, for the console's page, its API and the command line. Apart from the schemas, so that
// the page carries none of those.

/** Of a name or a purpose, in characters. */
export const MAX_TEXT_CHARS = 300;
/** Of what it adds to the consent text: room for a paragraph or three; what is longer belongs in the privacy notice. */
export const MAX_CONSENT_CHARS = 1_000;
export const MAX_URL_CHARS = 2_048;
export const MAX_REDIRECT_URIS = 20;
/** Longest time for which a check counts for further logins: a day. */
export const MAX_SESSION_SECONDS = 86_400;
