import { createContext } from 'react'

/** Words of the question before a dialog closes that was filled in, in the language of the page. */
export const ThrowAwayWords = createContext({ title: '', text: '', stay: '', leave: '' })
