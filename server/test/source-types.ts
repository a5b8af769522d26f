import path from 'node:path'
import {
  type CallSignatureDeclaration,
  type Node,
  SyntaxKind,
  type TaggedTemplateExpression,
} from 'typescript/unstable/ast'
import { API, type Checker, type Program, type Type } from 'typescript/unstable/sync'

/** A statement as the source has it: a template that is executed where it stands. */
export interface WrittenStatement {
  /** `areas/link/link.sql.ts:104` */
  place: string
  /** The fixed parts of the template, by which the statement is known again when it runs. */
  parts: string
  /** The type of a row, where the template names one. */
  row: Type | undefined
}

/** An exported function of a file that speaks SQL. */
export interface WrittenFunction {
  file: string
  name: string
  parameters: { name: string; type: Type }[]
}

/** The compiler's knowledge of every `.sql.ts` file. */
export interface WrittenSql {
  checker: Checker
  statements: WrittenStatement[]
  functions: WrittenFunction[]
  /** Files that hand a statement to a connection in another way. */
  otherFiles: string[]
}

const repository = path.resolve(import.meta.dirname, '../..')
const server = path.join(repository, 'server/src/')
/** A project of these files alone, which opens in a third of the time; nothing of it is on the disk. */
const projectFile = path.join(repository, 'only-sql.json')
const onlySql = JSON.stringify({ extends: './tsconfig.base.json', include: ['server/src/**/*.sql.ts'] })

/** Reads the statements and functions of all `.sql.ts` files; `close` ends the compiler. */
export function readWrittenSql(): WrittenSql & { close: () => void } {
  const api = new API({
    cwd: repository,
    fs: {
      readFile: (name) => (name === projectFile ? onlySql : undefined),
      fileExists: (name) => name === projectFile || undefined,
    },
  })
  const [project] = api.updateSnapshot({ openProjects: [projectFile] }).getProjects()
  if (!project) throw new Error('The compiler opened no project.')
  const { checker, program } = project
  const files = program.getSourceFileNames().filter((name) => name.startsWith(server) && name.endsWith('.sql.ts'))
  return {
    checker,
    statements: files.flatMap((name) => readStatements(program, checker, name)),
    functions: files.flatMap((name) => readFunctions(program, checker, name)),
    otherFiles: files
      .filter((name) => /\.query\s*[<(]/.test(getFile(program, name).text))
      .map((name) => name.slice(server.length)),
    close: () => api.close(),
  }
}

function readStatements(program: Program, checker: Checker, name: string): WrittenStatement[] {
  const file = getFile(program, name)
  const found: WrittenStatement[] = []
  const visit = (node: Node): void => {
    if (isExecuted(node)) {
      const [row] = node.typeArguments ?? []
      const line = file.text.slice(0, node.getStart(file)).split('\n').length
      found.push({
        place: `${name.slice(server.length)}:${line}`,
        parts: joinParts(partsOf(node)),
        row: row && checker.getTypeFromTypeNode(row),
      })
    }
    node.forEachChild((child) => void visit(child))
  }
  visit(file)
  return found
}

/** The fixed parts of a template as one text. */
export function joinParts(parts: readonly string[]): string {
  return parts.join('\0')
}

function isExecuted(node: Node): node is TaggedTemplateExpression {
  return (
    node.kind === SyntaxKind.TaggedTemplateExpression &&
    node.parent.kind === SyntaxKind.PropertyAccessExpression &&
    node.parent.getText().endsWith('.execute')
  )
}

function partsOf({ template }: TaggedTemplateExpression): string[] {
  if (template.kind === SyntaxKind.NoSubstitutionTemplateLiteral) return [template.text]
  return [template.head.text, ...template.templateSpans.map((span) => span.literal.text)]
}

function readFunctions(program: Program, checker: Checker, name: string): WrittenFunction[] {
  const file = getFile(program, name)
  const module = checker.getSymbolAtLocation(file)
  if (!module) return []
  return checker.getExportsOfModule(module).flatMap((symbol) => {
    const declaration = symbol.valueDeclaration?.resolve()
    if (declaration?.kind !== SyntaxKind.FunctionDeclaration) return []
    const parameters = (declaration as unknown as CallSignatureDeclaration).parameters.map((parameter) => {
      const type = checker.getTypeAtLocation(parameter)
      if (!type) throw new Error(`${name}: ${symbol.name} has a parameter without a type.`)
      return { name: parameter.name.getText(file), type }
    })
    return [{ file: name, name: symbol.name, parameters }]
  })
}

function getFile(program: Program, name: string) {
  const file = program.getSourceFile(name)
  if (!file) throw new Error(`The compiler does not know ${name}.`)
  return file
}
