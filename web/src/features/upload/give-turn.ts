/** Lets the page answer in between: sorting, planning, drawing and asking are long enough each. */
export const giveTurn = () => new Promise((resolve) => setTimeout(resolve))
