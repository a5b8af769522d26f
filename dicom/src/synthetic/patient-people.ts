import { randomFrom } from './random.ts'

/** A person of a generated population, before anybody wrote a name or number down. */
export interface Person {
  culture: Culture
  family: NameWord
  given: NameWord
  middle: NameWord | undefined
  sex: 'M' | 'F'
  birth: { year: number; month: number; day: number }
}

/** One word of a name in the ways that systems write the word. */
export interface NameWord {
  /** With accents, in Latin letters. */
  latin: string
  /** In the person's own script, where that is not Latin. */
  native?: string
  /** In kana, for Japanese. */
  phonetic?: string
}

type Culture = 'western' | 'japanese' | 'chinese' | 'cyrillic'

const plain = (words: string): NameWord[] => words.split(' ').map((latin) => ({ latin }))
const scripted = (words: string): NameWord[] =>
  words.split(' ').map((word) => {
    const [latin = '', native = '', phonetic] = word.split('/')
    return { latin, native, ...(phonetic && { phonetic }) }
  })

const families: Record<Culture, readonly NameWord[]> = {
  western: plain(
    "Müller Schmidt Fischer Weber Wagner Becker Schäfer Köhler Jäger Groß Smith Johnson Williams Brown Jones Miller Davis Garcia Rodríguez Martínez López González Pérez Núñez O'Connor O'Brien MacDonald Nguyen Dubois Lefèvre Moreau Rossi Bianchi Sørensen Jørgensen Åberg Hägglund Kowalski Wójcik Yılmaz Öztürk Costa Gonçalves Silva Araújo De-Vries Jansen Saint-Pierre Smith-Jones",
  ),
  japanese: scripted(
    'Satou/佐藤/さとう Suzuki/鈴木/すずき Takahashi/高橋/たかはし Tanaka/田中/たなか Watanabe/渡辺/わたなべ Watanabe/渡邊/わたなべ Itou/伊藤/いとう Itou/伊東/いとう Yamada/山田/やまだ Saitou/斎藤/さいとう Saitou/齋藤/さいとう Abe/阿部/あべ Abe/安倍/あべ',
  ),
  chinese: scripted('Wang/王 Li/李 Li/黎 Zhang/张 Zhang/章 Liu/刘 Chen/陈 Chen/谌 Yang/杨 Xu/徐 Xu/许 Zhou/周'),
  cyrillic: scripted(
    'Ivanov/Иванов Petrov/Петров Smirnov/Смирнов Popov/Попов Volkov/Волков Melnik/Мельник Kovalenko/Коваленко',
  ),
}

const givens: Record<Culture, Record<Person['sex'], readonly NameWord[]>> = {
  western: {
    M: plain(
      'Jörg Peter Paul Michael Thomas Andreas André Jean-Luc José Juan Carlos Luis Søren Jens Björn Łukasz Mehmet João Pedro John James Robert William David Daniel Dan Jan Hans Hans-Peter Alexander Alex Christian Christopher',
    ),
    F: plain(
      'Anna Anne Ana Hanna Hannah Maria María Marie Sofia Sophie Zoë Chloé Siobhán Mary Patricia Jennifer Linda Elizabeth Jane Jana Julia Juliane Karin Katrin Kristin Christine Christina Ayşe Inês Małgorzata Anna-Maria Marianne',
    ),
  },
  japanese: {
    M: scripted(
      'Tarou/太郎/たろう Tarou/太朗/たろう Ichirou/一郎/いちろう Ichirou/一朗/いちろう Kenji/健二/けんじ Kenji/賢治/けんじ Hiroshi/浩/ひろし Hiroshi/博/ひろし',
    ),
    F: scripted(
      'Hanako/花子/はなこ Hanako/華子/はなこ Yuuko/優子/ゆうこ Yuuko/裕子/ゆうこ Kyouko/京子/きょうこ Kyouko/恭子/きょうこ Mai/舞/まい Mai/麻衣/まい',
    ),
  },
  chinese: {
    M: scripted('Wei/伟 Wei/威 Wei/维 Jun/军 Jun/俊 Qiang/强 Ming/明 Ming/铭 Yong/勇'),
    F: scripted('Wei/薇 Fang/芳 Na/娜 Min/敏 Jing/静 Jing/晶 Li/丽 Li/莉 Yan/艳 Yan/燕'),
  },
  cyrillic: {
    M: scripted('Ivan/Иван Petr/Пётр Sergey/Сергей Aleksandr/Александр Dmitriy/Дмитрий'),
    F: scripted('Anna/Анна Olga/Ольга Natalya/Наталья Elena/Елена Mariya/Мария'),
  },
}

/** Draws from one seed: the same seed gives the same people, everywhere. */
export class Draw {
  readonly #random: () => number

  constructor(seed: string) {
    this.#random = randomFrom(seed)
  }

  chance(probability: number): boolean {
    return this.#random() < probability
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1))
  }

  of<T>(values: readonly T[]): T {
    return values[this.between(0, values.length - 1)] as T
  }

  birth(): Person['birth'] {
    return { year: this.between(1925, 2025), month: this.between(1, 12), day: this.between(1, 28) }
  }

  given(culture: Culture, sex: Person['sex']): NameWord {
    return this.of(givens[culture][sex])
  }

  family(culture: Culture): NameWord {
    return this.of(families[culture])
  }

  person(): Person {
    const culture = this.of<Culture>(['western', 'western', 'western', 'western', 'japanese', 'chinese', 'cyrillic'])
    const sex = this.of(['M', 'F'] as const)
    const given = this.given(culture, sex)
    const middle = culture === 'western' && this.chance(0.4) ? this.given(culture, sex) : undefined
    return { culture, sex, family: this.family(culture), given, middle, birth: this.birth() }
  }

  /** A number of a hospital: counted upwards, so that small hospitals meet each other's numbers. */
  number(): string {
    return String(this.between(1, 10 ** this.between(4, 7))).padStart(this.chance(0.3) ? 8 : 1, '0')
  }
}
