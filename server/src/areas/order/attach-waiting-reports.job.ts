import type { Services } from '../../services.ts'
import { findOtherExam, findReportedExams } from './attach-reports.command.ts'
import { attachWaitingReport, type HeldName } from './attach-waiting-report.command.ts'
import { MessageRefused } from './sent-order.ts'
import { listComeReports, noteTried } from './waiting-report.sql.ts'

/** Reports that are looked at in one run; the next run goes on with others. */
const mostTried = 200

/**
 * Attaches reports whose exams have come meanwhile, by whichever way: images, a share, a correction of the accession
 * number, an order. A report that its exam does not take, or that cannot be stored, stays, with the reason.
 * @throws the first failure, when all were tried
 */
export async function attachWaitingReports(services: Services): Promise<void> {
  const failures: unknown[] = []
  for (const one of await listComeReports(services.db, mostTried)) {
    try {
      await attachWaiting(services, one)
    } catch (error) {
      // the others are not kept from their exams, and whoever watches the work learns of it
      await noteTried(services.db, one.uuid, 'The report could not be stored')
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

async function attachWaiting(services: Services, waiting: HeldName): Promise<void> {
  try {
    await attachWaitingReport(services, waiting, {
      findExams: async (tx, { place, sender, patient, report }) => {
        const exams = await findReportedExams(tx, place, sender, patient, report)
        if (exams.length === 0) await noteTried(tx, waiting.uuid, await findOtherExam(tx, place, report))
        return exams
      },
    })
  } catch (error) {
    if (!(error instanceof MessageRefused)) throw error
    await noteTried(services.db, waiting.uuid, error.message)
  }
}
