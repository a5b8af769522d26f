/**
 * The browser's errors for requests under way when a right ended: the server cuts their connections.
 * For `forgive` of a person whose session or right ends.
 */
export const cutOff =
  /net::ERR_(EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|CONTENT_LENGTH_MISMATCH|CONNECTION_(RESET|CLOSED|ABORTED))/
