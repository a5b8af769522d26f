/** Bytes read from the start of a file before its header is tried; longer headers grow from there. */
export const FIRST_READ_BYTES = 64 * 1024
/** The same at a browser, where each byte costs more; the header of most images is shorter. */
export const FIRST_READ_AT_BROWSER_BYTES = 16 * 1024

/** How much more is read each time a header did not fit. */
export const READ_GROWTH_FACTOR = 8

/** Levels of sequences inside sequences. Real objects stay below 20; DCMTK and Orthanc crash on far deeper ones. */
export const MAX_SEQUENCE_DEPTH = 128

/** Elements on the top level of one data set; real objects have some hundred. */
export const MAX_TOP_LEVEL_ELEMENTS = 100_000

/**
 * Element and item headers walked inside sequences, of one data set, over and over where sequences nest. A slide of
 * 100,000 tiles has a tenth; 250 KB of deflated nothing could hold 32 million.
 */
export const MAX_NESTED_HEADERS = 10_000_000

/** Elements opened inside sequences of one data set, of a hundred bytes of memory each; an item costs as much as three. */
export const MAX_OPENED_INSIDE = 2_000_000

/** Bytes that a deflated data set may grow to. DEFLATE reaches 1,000:1, so a small upload could otherwise fill memory. */
export const MAX_INFLATED_BYTES = 256 * 1024 * 1024

/** Compressed bytes inflated at first when only the header of a deflated data set is wanted. */
export const FIRST_INFLATE_INPUT_BYTES = 16 * 1024

/** The standard's longest UID. PS3.5 §9.1. */
export const MAX_UID_CHARS = 64

/** The longest identifier accepted as a UID on arrival: some devices write more than the standard's 64 characters. */
export const MAX_ACCEPTED_UID_CHARS = 128

/** Bytes of a binary value that the JSON model carries inline; longer ones are answered by address. */
export const MAX_INLINE_BINARY_BYTES = 1024

/** Bytes of a number list or text that the JSON model spells out; it grows many times over on the way. */
export const MAX_SPELT_OUT_BYTES = 1024 * 1024

/** Bytes in front of the pixel data of which a JSON model is made. */
export const MAX_MODELLED_BYTES = 64 * 1024 * 1024
