// Stands in the build for tfjs backends that the page never uses.
export {};
