/** One of these words; `_` joins the words of one alternative. */
const any = (words: string) => `(?:${words.trim().split(/\s+/).join('|')})`
/** One of these, or nothing. */
const maybe = (words: string) => `(?:${any(words)}_)?`

const takeBack =
  any(`ignore ignoring disregard disregarding forget forgetting overlook override overriding bypass
  neglect discard stop_following do_not_follow dont_follow pay_no_attention_to`)
const orders =
  any(`instruction instructions directive directives prompt prompts guideline guidelines rules orders
  programming training restrictions safeguards previous_tasks? previous_text previous_conversation
  previous_messages? (?:everything|everthing|anything|all|what|that)_(?:that_)?(?:i|you|we|was|has|have|youve|ive|came)
  (?:the|all|everything)_(?:above|previous|prior|preceding)`)
const ownWords = any('prompts? instructions? directives? system_messages? system_configuration configuration')
const secrets = any(`password passcode passphrase passcode_phrase secret secret_key secret_code secret_string
  confidential_string api_keys?`)
const giveAway =
  any(`reveal show print output repeat recite display share leak expose disclose dump encode translate
  reproduce send list give tell confirm provide write was are were is whats summarize paraphrase complete`)
const kinds =
  '(?:(?:initial|original|system|hidden|secret|previous|starting|first|exact|current|own|base|internal)_)*'
const speech = any('answers? reply replies responses? outputs?')
const say = any('say print output reply respond answer repeat echo emit append utter')
const machine = any('ai artificial_intelligence language_model large_language_model chatbot chatgpt gpt llm')

/**
 * What a text says when it speaks to a model instead of about the world. `_` is a space, `~` up to six words in
 * between, `\w+` one word. Left out is what people also say to each other ("please answer", "you should act fast").
 */
export const phrases: readonly string[] = [
  // Take back what was said before.
  `${takeBack}~${orders}`,
  `(?:regardless|irrespective)_of_${maybe('any all')}(?:previous|prior|earlier)_(?:tasks?|instructions?|rules)`,
  `${any('new updated revised real actual urgent')}_(?:instructions?|directives?|orders)_(?:for_you|are_below|below|follow)`,

  // Become somebody else.
  `you_?a?re_now_${maybe('an? the my called named')}${maybe('\\w+')}${any('dan stan dude machine bot model assistant unfiltered unrestricted hacker')}`,
  'you_?a?re_now_(?:in_\\w+_mode|no_longer_(?:bound|restricted)|free_(?:of|from)|going_to_(?:act|pretend|answer))',
  `from_now_on_(?:you_(?:will|are|must|should|have)|your_${speech}|every_${speech}|reply|respond|answer)`,
  `you_${any('will shall must should are_to are_going_to have_to')}_${maybe('now')}${any(`act_as act_like behave_as
    behave_like pretend_(?:to|that|you) simulate role_?play_as take_on_the play_the_role immerse_yourself respond_as
    respond_with respond_in reply_as reply_with reply_in answer_as answer_with answer_my answer_every`)}`,
  `you_are_(?:about|going)_to_${any('immerse act_as pretend play_the_role simulate role_?play')}`,
  `${any('act behave respond reply answer speak')}_${maybe('just')}(?:as|like)_${any(`if_you though_you
    an?_(?:unfiltered|unrestricted|evil|uncensored|linux|sql|python|terminal) dan stan`)}`,
  any(`do_anything_now (?:with|in|the)_developer_mode developer_mode_(?:enabled|output|on) jailbreak_mode dan_mode
    god_mode sudo_mode opposite_mode stay_in_character break(?:ing)?_character`),
  `${any('enter entering initiating activate activating enable')}_(?:an?_|the_)?(?:\\w+_){0,3}${any(`override
    maintenance debug developer admin root diagnostic verification system`)}_(?:mode|reset|override)`,
  `${any('system god developer admin debug maintenance override')}_mode_(?:as|activated|engaged|you)`,
  `(?:you_are|youre|as)_(?:an?_)?${machine}_${any('developed created trained model that who named called with language assistant without')}`,
  `${any('hello hi hey dear')}_${any('chatgpt gpt claude gemini llama bard copilot assistant generator ai language_model')}`,
  `(?:broken_free|freed)_(?:of|from)~${any('confines restrictions chains')}`,

  // Give away what the model was told.
  `${giveAway}~(?:your|the_hidden|the_secret|the_original|the_initial|initial|hidden)_${kinds}${ownWords}`,
  `${any('reveal share give tell confirm disclose send leak expose print output show what_is whats know provide')}_${maybe(`me us
    with_me me_what me_what_is if me_about`)}(?:your|our)_${maybe('\\w+')}${secrets}`,
  `${any('what_is whats what_was confirm reveal tell_me give_me write')}_the_${maybe('system secret current admin')}${secrets}`,
  `(?:haiku|poem|acrostic|story|song)_(?:about|with)_the_${secrets}`,
  `${any('repeat print output show display reveal recite return write copy')}~${any(`text everything words messages?
    conversation content prompt lines?`)}_${any('above before_this so_far you_were_given back_to_me')}`,
  `${any('repeat show output print')}_the_above`,
  any('system_?prompt initial_prompt prompt_injection'),
  `what_(?:were|are)_(?:you|your)_${any('told given instructed not_supposed initial_instructions instructions')}`,
  any('were_you_told_before (?:instructions|prompt|rules|text)_(?:that_)?you_(?:were_given|got|received)'),

  // Say this.
  `${any(`say print output reply respond answer repeat echo type emit append return write mention include insert add
    utter state put display show start begin end prefix`)}_(?:(?:with|back|out|in|only|just|exactly|simply|instead|saying)_)*${any(`exactly
    verbatim the_(?:exact_)?(?:phrase|string|token|codeword|code_word|canary|secret|flag) canary pwned hacked
    this_(?:word|phrase|string|token|exact|sentence) only_(?:with|the) all_capitals`)}`,
  `${say}_${maybe('only just simply exactly')}${maybe('with')}${maybe('only just simply exactly')}(?:the_words?|the_following)`,
  `${any('reply respond answer')}_(?:(?:only|just|always)_(?:with|in|by)|with_(?:only|just)|saying|to_(?:all|every|any|each)_)`,
  `${any('start begin end prefix preface append finish conclude fill')}~(?:your|every|each|all_your)_${maybe('\\w+')}${speech}`,
  `${any('in to of into from at_the_(?:end|start|beginning|top)_of throughout')}_(?:your|every|all_your|each_of_your)_${maybe('\\w+')}${any(`answers?
    reply replies responses? outputs? summary summaries`)}`,
  `${any(`provide render modify augment enhance remove deliver craft convert scramble encode change rewrite format
    adjust embed replace present jumble compose incorporate ensure make translate phrase disguise obfuscate
    supplement extend amend alter tweak integrate give write`)}~your_${maybe('\\w+')}${any(`answers? reply replies
    responses? outputs? message_using words_of`)}`,
  `${any('replace swap substitute reverse shuffle jumble scramble')}_(?:all|every|the|each|up|up_the)_${maybe('\\w+')}${any(`vowels?
    letters? words characters? spaces`)}`,
  any('(?:administrator|admin|root|law_enforcement|system|security)_override replace_vowels'),
  `(?:your|every|each)_${maybe('only next final entire whole first')}${speech}_${any('must should has_to needs_to will shall is_to')}`,
  `${any('you_must you_will you_are_to always never instead')}_(?:(?:always|only|now|instead|never|just|also|then)_)*${any(`reply_(?:with|as|in)
    respond_(?:with|as|in) output print echo repeat_after obey comply`)}`,
  `(?:i_am|im|as)_your_${any('developer creator boss administrator admin maintainer master god')}`,
  any(`(?:for|to)_(?:this|the)_(?:audit|upgrade|check|reset|verification)_i_need_you_to
    i_need_you_to_(?:confirm|verify|ignore|act|reply|respond|output|print|reveal)
    you_(?:have_to|must)_(?:obey|answer_(?:all|my|every)|comply|do_(?:as_i|what_i|anything|everything))
    (?:obey|comply_with)_(?:these|my|the_following|this|all_my|every)_(?:new_)?(?:instructions?|orders?|commands?)
    (?:follow|execute|carry_out)_(?:my|all_my|these_new)_(?:new_)?(?:instructions?|orders?|commands?)`),
  any(`interlace_part (?:combine|concatenate)~(?:answer|parts|strings) answer_the_question_using_the_following
    write_down_the_string three_strings (?:decode|decipher|decrypt|unscramble)_(?:this|the_following|and|it)`),
  `${any(`include including incorporate incorporating integrate integrating merge merging insert inserting embed
    embedding add adding utilize utilizing feature featuring append inclusion presence weave enriching leverage
    employ adopt`)}~${any('following below subsequent given provided presented ensuing')}_${maybe('\\w+')}${any('code snippet script codes? codesnippet')}`,

  // The same in other languages.
  `${any(`ignora ignore ignorez ignorar ignoriere ignorieren ignorate olvida olvide oublie oubliez oublier vergiss
    vergessen esqueca dimentica negeer abaikan zignoruj`)}~${any(`instrucciones instrucoes instructions anweisungen
    istruzioni instructies regeln ordres consignes reglas regras instruksi polecenia anteriores precedentes vorherigen`)}`,
  `${any('cual_es quel_est quale qual was_ist wie_lautet wat_is apa')}_(?:e_)?(?:(?:la|le|das|die|il|a|de|o)_)?${any(`contrasena
    mot_de_passe password passwort senha clave parola wachtwoord`)}`,
]

/** In their own letters: patterns over words cannot reach languages that fold differently. */
export const phrasesInOtherScripts = new RegExp(
  [
    '(?:игнорир|забуд)\\S*.{0,30}(?:инструкц|указан|правил)|какой.{0,10}пароль|пароль\\s*\\?',
    '(?:忽略|無視|无视|忘记|忘記|不要理会).{0,15}(?:指令|指示|说明|說明|规则|提示|命令)|(?:密码|密碼|口令)是什么',
    '(?:指示|命令|指令).{0,10}(?:無視|忘れ)|パスワードは何',
    '지시.{0,10}무시|비밀번호.{0,8}무엇',
    'निर्देश\\S*.{0,20}(?:अनदेखी|नज़रअंदाज)|पासवर्ड.{0,8}क्या',
    'تجاهل.{0,25}(?:تعليمات|الأوامر)',
    'αγνο\\S*.{0,25}(?:οδηγ|εντολ)',
  ].join('|'),
  'u',
)
