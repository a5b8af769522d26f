import type { Plugin } from 'vite'

export const pdfFolder: string
export function pdfFiles(): Plugin
