import type { Report } from './measurement.ts'
export async function measureStudySearch(_folder: string, _studies: number): Promise<Report> {
  throw new Error('later')
}
