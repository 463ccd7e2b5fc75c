import { decoded, foldLetters, latin, leetOf, plain, rot13, visible } from './disguise.ts'

/**
 * What a text says when it speaks to the model instead of about the world. In a pattern `_` is a space, `~` up to
 * six words in between. Each is tried on the words, and on the letters alone, where splitting words hides nothing.
 */
const strong: readonly string[] = [
  // Take back what was said before.
  '(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overlook|overrid(?:e|ing)|bypass|neglect|discard|stop_following|do_not_follow|dont_follow|pay_no_attention_to)~(?:instructions?|directives?|prompts?|guidelines?|rules|orders|programming|training|restrictions|safeguards|previous_(?:tasks?|text|conversation|messages?)|(?:everything|everthing|anything|all|what|that)_(?:that_)?(?:i|you|we|was|has|have|youve|ive|came)|(?:the|all|everything)_(?:above|previous|prior|preceding))',
  '(?:regardless|irrespective)_of_(?:any_|all_)?(?:previous|prior|earlier)_(?:tasks?|instructions?|rules)',
  'forget_about_(?:that|this|all_that)_',
  '(?:new|updated|revised|real|actual|urgent|further|additional)_(?:instructions?|directives?|system_prompt|orders)_(?:for_you|are|is|below|follow|from)',
  // Become somebody else.
  '(?:you_are|youre|u_are)_now_(?:an?|in|going|no_longer|free|the|my|called|named|dan|stan|dude)',
  'from_now_on_(?:you|i|we|your|every|all|reply|respond|answer|only|always)',
  'you_(?:will|shall|must|should|are_to|are_going_to|have_to|can)_(?:now_)?(?:act|behave|pretend|simulate|role_?play|take_on|immerse|play_the|respond_(?:as|with|to|in)|reply_(?:as|with|in)|answer_(?:as|with|my|all|every|in))',
  'you_(?:are|will_be)_(?:about|going)_to_(?:immerse|act|pretend|play|simulate|become|role_?play|be)',
  '(?:act|behave|respond|reply|answer|speak)_(?:just_)?(?:as|like)_(?:if_you|though_you|an?_(?:unfiltered|unrestricted|evil|uncensored|linux|sql|python|terminal)|dan|stan|a_linux)',
  'do_anything_now|developer_mode|jailbreak_mode|dan_mode|god_mode|sudo_mode|opposite_mode|stay_in_character|break(?:ing)?_character',
  '(?:enter(?:ing)?|initiating|activat(?:e|ing)|enable|in|into)_(?:an?_|the_)?(?:\\w+_){0,3}(?:override|maintenance|debug|developer|admin|root|diagnostic|verification|system)_(?:mode|reset|override)',
  '(?:system|god|developer|admin|debug|maintenance|override)_mode_(?:as|on|enabled|activated|engaged|you)',
  '(?:you_are|youre|as)_(?:an?_)?(?:ai|artificial_intelligence|language_model|large_language_model|chatbot|chatgpt|gpt|llm)_(?:developed|created|trained|model|that|who|named|called|with|language|assistant|without)',
  '(?:hello|hi|hey|dear)_(?:chatgpt|gpt|claude|gemini|llama|bard|copilot|assistant|generator|ai|language_model)',
  '(?:broken_free|freed)_(?:of|from)~(?:confines|restrictions|chains)',
  // Give away what the model was told.
  '(?:reveal|show|print|output|repeat|recite|display|share|leak|expose|disclose|dump|encode|translate|reproduce|send|list|give|tell|confirm|provide|write|know|need|was|are|were|is|whats|summarize|paraphrase|complete)~(?:your|the_hidden|the_secret|the_original|the_initial|initial|hidden)_(?:(?:initial|original|system|hidden|secret|previous|starting|first|exact|current|own|custom|base|internal)_)*(?:prompts?|instructions?|system_messages?|system_configuration|configuration|password|passcode|passphrase|passcode_phrase|secret|secret_key|api_keys?|guidelines|directives?|rules)',
  '(?:repeat|print|output|show|display|reveal|recite|return|write|copy)~(?:text|everything|words|messages?|conversation|content|prompt|lines?)_(?:above|before_this|so_far|you_were_given|back_to_me)',
  'system_?prompt|system_message|initial_prompt|prompt_injection',
  'what_(?:were|are)_(?:you|your)_(?:told|given|instructed|not_supposed|initial_instructions|instructions)|were_you_told_before|i_was_instructed_to|my_instructions_are',
  '(?:what_is|whats|what_was|confirm|share|provide|reveal|tell_me|give_me|write|about|in_leetspeak|is)_(?:your|our|the)_(?:system_|secret_|current_|user_|admin_)?(?:password|passcode|passphrase|secret_key|secret_code|secret_string|confidential_string|api_key)',
  // Say this.
  '(?:say|print|output|reply|respond|answer|repeat|echo|type|emit|append|return|write|mention|include|insert|add|utter|state|put|use|display|show|start|begin|end|finish|conclude|prefix)_(?:with_|back_|out_|in_|by_|only_|just_|exactly_|simply_|instead_|everything_with_|this_|saying_)*(?:only|exactly|verbatim|the_(?:exact_)?(?:following|phrase|string|token|codeword|code_word|canary|secret|flag)|this_(?:word|phrase|string|token|text|exact|sentence)|canary|pwned|hacked|owned|all_capitals)',
  '(?:say|print|output|reply|respond|answer|repeat|echo|emit|append|utter)_(?:only_|just_|simply_|exactly_)?(?:with_)?(?:only_|just_|simply_|exactly_)?(?:the_words?)',
  '(?:reply|respond|answer|finish|conclude)_(?:only_|just_|always_)?(?:with_|in_|by_|saying|to_(?:all|every|any|each|this))',
  '(?:start|begin|end|prefix|preface|append|finish|conclude|fill)~(?:your|every|each|all|the)_(?:\\w+_)?(?:answers?|repl(?:y|ies)|responses?|outputs?|summar(?:y|ies)|messages?|sentences?)',
  '(?:in|to|of|into|at_the_(?:end|start|beginning|top)_of|throughout)_(?:your|every|all_your|each_of_your)_(?:\\w+_)?(?:answers?|repl(?:y|ies)|responses?|outputs?|summar(?:y|ies))',
  '(?:provide|render|modify|augment|enhance|remove|deliver|craft|convert|scramble|encode|change|rewrite|format|adjust|embed|replace|present|jumble|compose|incorporate|ensure|make|translate|phrase|disguise|obfuscate|supplement|extend|amend|alter|tweak|integrate|give|write)~your_(?:\\w+_)?(?:answers?|repl(?:y|ies)|responses?|outputs?)',
  '(?:instructions|text|words|prompt|message|rules)_(?:that_)?you_(?:were|have_been|got|received)',
  '(?:replace|swap|substitute|reverse|shuffle|jumble|scramble)_(?:all|every|the|each|up)_(?:\\w+_)?(?:vowels?|letters?|words|characters?|spaces)|replace_vowels',
  '(?:administrator|admin|root|law_enforcement|system|security)_override',
  '(?:your|the|every|each)_(?:only_|next_|final_|entire_|whole_|first_)?(?:answers?|reply|response|output)_(?:must|should|has_to|needs_to|will|shall|is_to)',
  '(?:you_must|you_should|you_will|you_are_to|please|always|never|instead|then|now)_(?:always_|only_|now_|instead_|never_|just_|also_|then_)*(?:reply|respond|output|print|echo|repeat_after|obey|comply)',
  '(?:i_am|im|as)_(?:your|the)_(?:developer|creator|boss|administrator|admin|maintainer|owner|master|god)',
  '(?:for|to)_(?:this|the)_(?:audit|upgrade|check|reset|verification)_i_need_you_to|i_need_you_to_(?:confirm|verify|ignore|act|reply|respond|output|print|reveal)',
  'you_(?:have_to|must)_(?:obey|answer|comply|do_(?:as|what|anything|everything))',
  '(?:follow|obey|execute|carry_out|perform|comply_with)_(?:these|my|the_following|this|all_my|every)_(?:new_)?(?:instructions?|orders?|commands?|directives?)',
  'interlace_part|(?:combine|concatenate|join)~(?:answer|parts|strings)|answer_the_question_using_the_following|write_down_the_string|three_strings',
  '(?:decode|decipher|decrypt|unscramble)_(?:this|the_following|and|it)',
  '(?:code|snippet|script|command)_?(?:snippet|section|block|excerpt|segment|fragment|piece)?_(?:below|provided|given)|(?:following|below|subsequent|given|provided|presented|mentioned)_(?:\\w+_)?(?:code|snippet|script|code_?snippet)',
  // The same in other languages.
  '(?:ignor(?:a|e|ez|ar|iere|ieren|ate)|olvid(?:a|e)|oublie[rz]?|vergiss|vergessen|esqueca|dimentica|negeer|abaikan|zignoruj)~(?:instrucciones|instrucoes|instructions|anweisungen|istruzioni|instructies|regeln|ordres|consignes|reglas|regras|instruksi|polecenia|anteriores|precedentes|vorherigen)',
  '(?:cual_es|quel_est|quale|qual|was_ist|wie_lautet|wat_is|apa)_(?:e_)?(?:la|le|das|die|il|a|de|o)?_?(?:contrasena|mot_de_passe|password|passwort|senha|clave|parola|wachtwoord)',
]

/** In their own letters: patterns over words cannot reach languages that fold differently. */
const strongInOtherScripts =
  /игнорир\S*.{0,30}(?:инструкц|указан|правил)|забуд\S*.{0,30}(?:инструкц|указан|правил)|(?:忽略|無視|无视|忘记|忘記|不要理会).{0,15}(?:指令|指示|说明|說明|规则|提示|命令)|(?:指示|命令|指令).{0,10}(?:無視|忘れ)|지시.{0,10}무시|निर्देश\S*.{0,20}(?:अनदेखी|नज़रअंदाज)|تجاهل.{0,25}(?:تعليمات|الأوامر)|αγνο\S*.{0,25}(?:οδηγ|εντολ)|パスワードは何|(?:密码|密碼|口令)是什么|비밀번호.{0,8}무엇|пароль\s*\?|какой.{0,10}пароль|पासवर्ड.{0,8}क्या/iu

/** Marks that conversations with models are made of. They have no place inside a memory. */
const marks =
  /<\|?\/?(?:im_start|im_end|system|assistant|user|endoftext|eot_id|start_header_id|instructions?|prompt|inst)\b[^>]{0,40}>|\[\/?(?:INST|SYS|SYSTEM)\]|<<\/?SYS>>|<\s*(?:[A-Z]+ )?MODE\s*>|^[ \t]*#{2,6}[ \t]*(?:system|instructions?|new task|prompt)\b|^[ \t]*(?:system|developer)[ \t]*:/imu

/** An identifier or a quoted text: what somebody who wants a certain answer would name. */
const named =
  /(?<![\p{L}\p{N}])["'“‘`«][^"'“”‘’`«»\n]{2,60}["'”’`»](?!\p{L})|\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{5,40}\b|\b[A-Z]{2,}[_-][A-Z0-9_-]+\b|\b[A-Z]{6,}\b/u
/** In lower case, at the beginning of a sentence or after a word that leads to a command. */
const tells =
  /(?:^\W*|[,;:.!?।。–—"'”)\n]\s*|--\s*|\b(?:and|then|please|now|just|must|always|instead|simply)\s+)(?:say|print|output|reply|respond|answer|repeat|echo|type|emit|append|return|utter|tell (?:them|the user|everyone)|call yourself|insert)\b/u

/** True when the sentence tells the model what to do, however it is spelt. */
export function isInstruction(sentence: string): boolean {
  const seen = visible(sentence)
  if (marks.test(seen) || strongInOtherScripts.test(plain(seen))) return true
  if (tells.test(latin(seen)) && named.test(seen.normalize('NFKC'))) return true
  if (isTurned(seen)) return true
  if (wordViews(sentence).some((view) => wordPatterns.test(view))) return true
  if (letterViews(sentence).some((view) => letterPatterns.test(view))) return true
  return decoded(sentence).some((text) => text !== sentence && isInstruction(text))
}

const common = new Set(
  'the and you your of to is in it that with for this are be as on not have what from or all can will do my me'.split(
    ' ',
  ),
)

/** True for English written backwards or in ROT13: the words that every text has are there only when it is turned. */
function isTurned(text: string): boolean {
  const letters = latin(text)
  const share = (view: string) => {
    const words = view.match(/[a-z]+/g) ?? []
    const found = words.filter((word) => common.has(word)).length
    return found >= 3 ? found / words.length : 0
  }
  const backwards = [...letters].reverse().join('')
  return share(letters) < 0.05 && Math.max(share(backwards), share(rot13(letters))) > 0.15
}

/** Words separated by one space, in the alphabets that a reader could take them for; backwards and in ROT13 too. */
function wordViews(text: string): string[] {
  const uncut = text.replace(/(?<=\p{L})[.\-_*~^|/\\+·•,](?=\p{L})/gu, '')
  const forms = text === uncut ? [latin(text)] : [latin(text), latin(uncut)]
  const [first = ''] = forms
  const backwards = [...first].reverse().join('')
  const mirrored = first.replace(/\p{L}+/gu, (word) => [...word].reverse().join(''))
  return [...forms, leetOf(text), backwards, mirrored, rot13(first)].map((form) => foldLetters(spaced(form)))
}

function spaced(text: string): string {
  return ` ${text
    .replace(/['´`]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `
}

/** Letters alone, of words that run together, and of a text whose words are cut into pieces. */
function letterViews(text: string): string[] {
  const bare = (view: string) => foldLetters(view.replace(/[^a-z]/g, ''))
  const words = spaced(latin(text)).trim().split(' ')
  const isCut = words.join('').length < 2.5 * words.length
  const together = words.filter((word) => word.length > 15).map(bare)
  return isCut ? [bare(latin(text)), bare(leetOf(text)), ...together] : together
}

const wordPatterns = compile(strong, { space: ' ', gap: '(?: [^ ]+){0,6}? ', word: '[^ ]+', edge: '(?= )' })
/** A gap of letters is shorter than six words could be, or far-off words would meet. */
const letterPatterns = compile(strong.filter(isLong), {
  space: '',
  gap: '[a-z]{0,24}?',
  word: '[a-z]{1,12}',
  edge: '',
})

interface Spelling {
  readonly space: string
  readonly gap: string
  readonly word: string
  readonly edge: string
}

function compile(patterns: readonly string[], { space, gap, word, edge }: Spelling): RegExp {
  const sources = patterns.map((pattern) =>
    foldLetters(pattern)
      .replaceAll('~', gap)
      .replaceAll('\\w+', word)
      .replaceAll('_?', `${space}?`)
      .replaceAll('_', space),
  )
  return new RegExp(sources.map((source) => `${space}(?:${source})${edge}`).join('|'), 'u')
}

/** Short ones would be found by chance where letters run together. */
function isLong(pattern: string): boolean {
  return pattern.includes('~') || pattern.length > 40
}
