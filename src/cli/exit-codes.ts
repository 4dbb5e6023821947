// Exit codes of every command, for scripts and supervisors.

/** Exit codes of the command line. */
export const EXIT = {
  done: 0,
  /** Something that should work does not; stderr says what. For `doctor`: a check failed. */
  fault: 1,
  /** Arguments, files or environment variables are wrong; nothing was started. */
  usage: 2,
  /** `evaluate` and `compare`: the video or picture cannot be judged. */
  notJudged: 3,
  /** `verify`: the receipt is not what was signed, or the video or its values differ. */
  refused: 4,
} as const;

export const EXIT_HELP = '\nExit codes: 0 done, 1 fault, 2 wrong usage, 3 could not be judged, 4 refused.';
