// Replaces, in the build, the tfjs backends that the page never uses.
export {};
