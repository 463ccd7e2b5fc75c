const words = (list: string): ReadonlySet<string> => new Set(list.split(/[\s,]+/).filter(Boolean))

const womenRoles =
  words(`mother mom mum mama mommy mummy stepmother stepmom sister stepsister half-sister daughter
  stepdaughter wife ex-wife girlfriend gf missus ex-girlfriend fiancée fiancee aunt auntie niece grandmother grandma nana granny
  granddaughter sister-in-law mother-in-law daughter-in-law goddaughter godmother queen landlady bride widow`)
const menRoles =
  words(`father dad papa daddy stepfather stepdad brother stepbrother half-brother son stepson husband
  ex-husband boyfriend bf hubby ex-boyfriend fiancé fiance uncle nephew grandfather grandpa granddad grandad grandson brother-in-law
  father-in-law son-in-law godson godfather king landlord groom widower`)
const otherPeople =
  words(`parent grandparent sibling twin child kid baby toddler teenager spouse partner ex friend
  bestie buddy pal boss manager supervisor mentor mentee colleague coworker co-worker teammate workmate classmate
  roommate flatmate housemate neighbor neighbour cousin relative grandchild godchild doctor dentist therapist
  physiotherapist physician psychiatrist psychologist pediatrician lawyer accountant teacher tutor coach trainer
  instructor assistant nanny babysitter hairdresser barber vet veterinarian client customer student employee
  co-founder cofounder business-partner advisor adviser professor guest crush idol hero penpal`)

/** Nouns for pets and other animals that people own. */
export const pets =
  words(`dog cat pet puppy kitten horse pony parrot hamster rabbit bunny turtle tortoise fish goldfish
  bird snake lizard gecko ferret guinea-pig retriever labrador poodle greyhound beagle bulldog terrier corgi husky
  dachshund shepherd collie chihuahua pug tabby siamese mare pup kitty chinchilla budgie canary cockatiel`)

/** Nouns for people by their tie to somebody: `my sister`. */
export const people: ReadonlySet<string> = new Set([...womenRoles, ...menRoles, ...otherPeople])

/** Breeds, to the animal that people ask about. */
export const breeds: ReadonlyMap<string, string> = new Map([
  ...[
    ...words(
      'retriever labrador poodle greyhound beagle bulldog terrier corgi husky dachshund shepherd collie chihuahua pug puppy pup',
    ),
  ].map((breed): [string, string] => [breed, 'dog']),
  ...[...words('kitten kitty tabby siamese')].map((breed): [string, string] => [breed, 'cat']),
])

/** Groups that a person belongs to and speaks of with `my`. */
export const groups = words('family fam team band company startup club class household crew department')

export function roleGender(noun: string): 'female' | 'male' | null {
  if (womenRoles.has(noun) || femaleNouns.has(noun)) return 'female'
  return menRoles.has(noun) || maleNouns.has(noun) ? 'male' : null
}
const femaleNouns = words(
  'woman girl lady actress waitress businesswoman saleswoman princess heroine nun gal',
)
const maleNouns = words('man boy guy gentleman actor waiter businessman salesman prince dude monk lad')

export const isRole = (noun: string): boolean => people.has(noun) || pets.has(noun)

/** Nouns that stand for a person by themselves. */
export const personNouns =
  words(`man woman boy girl person guy lady gentleman actor actress waiter waitress businessman
  businesswoman child kid baby people men women dude lad gal prince princess king queen`)

/** Attributes that take a value: `my X is …`. The relation is `has_X`, except where it says otherwise. */
export const attributes: ReadonlyMap<string, string> = new Map([
  ...[
    ...words(`name surname nickname birthday birthdate anniversary address height weight budget nationality religion
    salary password username pin zodiac-sign sign pronouns timezone hometown middle-name maiden-name last-name
    first-name full-name license-plate blood-type shoe-size size degree major minor wifi-password passport-number
    age email phone handle dream goal diet allergy hobby passion specialty salary visa income rent wish ambition
    ethnicity gender sexuality orientation background citizenship code extension deadline mantra motto`),
  ].map((noun): [string, string] => [noun, `has_${noun.replaceAll('-', '_')}`]),
  ['date of birth', 'born_on'],
  ['place of birth', 'born_in'],
  ['birthplace', 'born_in'],
  ['birth date', 'born_on'],
  ['birth name', 'has_birth_name'],
  ['first name', 'has_first_name'],
  ['last name', 'has_last_name'],
  ['full name', 'has_name'],
  ['real name', 'has_name'],
  ['email address', 'has_email'],
  ['e-mail', 'has_email'],
  ['mail', 'has_email'],
  ['number', 'has_phone_number'],
  ['phone number', 'has_phone_number'],
  ['mobile', 'has_phone_number'],
  ['mobile number', 'has_phone_number'],
  ['cell', 'has_phone_number'],
  ['cell phone number', 'has_phone_number'],
  ['telephone number', 'has_phone_number'],
  ['cell number', 'has_phone_number'],
  ['job', 'works_as'],
  ['occupation', 'works_as'],
  ['profession', 'works_as'],
  ['job title', 'works_as'],
  ['employer', 'works_at'],
  ['workplace', 'works_at'],
  ['home', 'lives_in'],
  ['native language', 'has_native_language'],
  ['mother tongue', 'has_native_language'],
  ['first language', 'has_native_language'],
])

/** Endings and nouns of occupations; the last word of a noun phrase decides. */
const occupationEndings =
  /(?:engineer|developer|programmer|manager|teacher|nurse|doctor|physician|surgeon|dentist|lawyer|attorney|architect|designer|scientist|researcher|professor|lecturer|intern|analyst|consultant|accountant|chef|baker|barista|waiter|waitress|driver|pilot|writer|author|journalist|editor|artist|painter|musician|singer|actor|actress|director|producer|photographer|therapist|psychologist|counselor|counsellor|coach|trainer|officer|administrator|secretary|assistant|specialist|technician|mechanic|electrician|plumber|carpenter|farmer|librarian|translator|interpreter|veterinarian|pharmacist|paramedic|firefighter|entrepreneur|founder|president|executive|salesman|saleswoman|realtor|broker|economist|physicist|chemist|biologist|mathematician|historian|politician|soldier|dancer|freelancer|contractor|recruiter|marketer|tutor|nanny|clerk|cashier|banker|optician|dietitian|nutritionist|physiotherapist|psychiatrist|pediatrician|cardiologist|radiologist|midwife|hairdresser|barber|tailor|butcher|fisherman|sailor|captain|detective|policeman|policewoman|fireman|postman|stewardess|caterer|vlogger|bartender|hostess|receptionist|housekeeper|janitor|gardener|florist|landscaper|builder|welder|machinist|foreman|instructor|principal|dean|sculptor|illustrator|animator|composer|conductor|drummer|guitarist|pianist|violinist|poet|novelist|blogger|youtuber|streamer|podcaster|screenwriter|playwright|filmmaker|cinematographer|comedian|footballer|cricketer|boxer|swimmer|athlete|sprinter|cyclist|jockey|goalkeeper|coordinator|supervisor|astronaut|astronomer|geologist|philosopher|theologian|archaeologist|anthropologist|linguist|sociologist|statistician|diplomat|ambassador|senator|governor|mayor|judge|clergyman|priest|bishop|pastor|monk|nun|businessman|businesswoman|industrialist|banker|merchant|trader|inventor|activist|lobbyist|stylist|model|cook|vet|student|ceo|cto|cfo|coo|vp|lead)$/

/** More of them, as whole words: what they end in is also the end of other nouns. */
const occupations =
  words(`beekeeper shopkeeper innkeeper bookkeeper groundskeeper gamekeeper zookeeper paralegal solicitor
  barrister notary magistrate bailiff superintendent superviser caretaker undertaker watchmaker dressmaker shoemaker
  cabinetmaker winemaker brewer distiller cheesemaker potter glassblower goldsmith silversmith blacksmith locksmith
  stonemason mason bricklayer plasterer roofer glazier decorator tiler joiner surveyor draughtsman cartographer
  cobbler milliner upholsterer carer caregiver childminder babysitter au-pair governess schoolteacher headteacher
  headmaster headmistress principal lecturer academic postdoc trainee apprentice steward waitstaff sommelier barmaid
  barman dishwasher cleaner maid valet porter concierge doorman bouncer guard lifeguard warden ranger forester
  lumberjack logger fisher fishmonger greengrocer grocer florist shepherd rancher vintner agronomist botanist
  zoologist ecologist meteorologist oceanographer geographer paleontologist neurologist oncologist dermatologist
  gynaecologist gynecologist urologist anaesthetist anesthesiologist orthodontist podiatrist chiropractor osteopath
  optometrist audiologist phlebotomist sonographer radiographer paramedic medic hygienist masseuse masseur
  acupuncturist homeopath dietician beautician cosmetologist manicurist tattooist jeweller jeweler auctioneer
  auditor actuary underwriter bookmaker croupier pollster copywriter proofreader columnist reporter correspondent
  newsreader announcer broadcaster cameraman cinematographer projectionist puppeteer magician acrobat clown
  choreographer ballerina percussionist cellist flautist flutist organist harpist trumpeter saxophonist bassist
  violist oboist vocalist songwriter lyricist rapper dj actuary mailman postwoman courier trucker cabbie chauffeur
  conductor stevedore docker longshoreman deckhand mariner skipper navigator coxswain cosmonaut aviator
  stuntman exterminator plumber handyman labourer laborer miner driller rigger scaffolder operator dispatcher
  planner programmer sysadmin webmaster tester cryptographer roboticist hacker recruiter headhunter trainer lobbyist
  councillor councilor minister ambassador envoy attaché consul chaplain rabbi imam vicar missionary deacon
  telemarketer salesperson salesclerk retailer wholesaler merchandiser buyer stockbroker estate-agent letting-agent
  travel-agent agent cop policewoman constable sheriff deputy sergeant lieutenant corporal colonel general admiral
  marine paratrooper infantryman sniper spy interpreter archivist curator conservator docent registrar usher typist
  stenographer transcriptionist bursar treasurer comptroller controller welder fitter turner machinist tram-driver`)

const isOneOf = (noun: string) => occupations.has(noun)

export const isOccupation = (noun: string): boolean => occupationEndings.test(noun) || isOneOf(noun)

/** Amounts: `a bit of German` is about German. */
export const amounts = words(
  'bit lot lots couple ton tons bunch plenty loads little kind sort type variety number few',
)

/** Nouns that say nothing by themselves and so are no entity. */
export const emptyNouns =
  words(`thing things several now something anything everything nothing stuff way ways lot lots bit kind sort
  one ones other others someone somebody anyone anybody everyone everybody time times moment point case fact part
  order addition course example reason place everything chance idea look touch mind feeling deal sense matter while
  rest end side use same much many more most all some any such both each either neither what which who whom whose that
  this these those it there here none half plenty couple few to be so do not or if as at by than`)

/** Subjects that deny what is said of them. */
export const negativeSubjects = words('nobody none nothing neither')

/** Adjectives that describe a passing state or an opinion: worth no fact. */
export const passingAdjectives =
  words(`sure sorry able ready glad ok okay fine good great excited awesome amazing cool true
  right welcome available afraid aware likely possible so too here there happy sad nice bad wrong important hard easy
  difficult crazy wonderful beautiful interesting fun funny lovely nervous curious busy tired better best worse worst
  different same real clear correct certain obvious impossible necessary worth proud thankful grateful lucky
  hungry thirsty done late early alone inspiring incredible powerful tough cute sweet helpful useful weird strange
  surprised shocked thrilled stoked pumped impressed super perfect special new old big small back up off out over
  like such well huge little long short full free open close close-by key due home next last first own enough ill
  delicious tasty gorgeous stunning peaceful relaxing calming refreshing exhausting rewarding challenging fantastic
  intense scary exciting boring annoying frustrating overwhelming touching heartwarming blessed honored honoured`)
