/**
 * Words that mean the same in a statement: every word of a line is read as its first one. A wrong pair loses a memory, a
 * missing one stores it twice: words of another degree, number, time or kind do not stand on one line.
 */
const groups = `
  mother mum mom mommy mummy mama
  mothers mums moms
  father dad daddy papa
  fathers dads
  grandmother grandma granny nana
  grandfather grandpa granddad
  children kids
  child kid
  parents folks
  husband hubby
  manager boss supervisor
  colleague coworker workmate
  colleagues coworkers
  company firm
  man guy bloke
  men guys
  policeman cop
  firefighter fireman
  dr physician
  lawyer attorney
  professor prof
  vet veterinarian
  physio physiotherapist
  hairdresser barber
  everyone everybody
  anyone anybody
  someone somebody
  nobody noone
  television tv telly
  film movie
  films movies
  picture photo pic photograph
  pictures photos pics photographs
  bicycle bike
  bicycles bikes
  motorcycle motorbike
  phone telephone cellphone mobile smartphone
  car automobile
  airplane plane
  truck lorry
  taxi cab
  refrigerator fridge
  couch sofa
  package parcel
  luggage baggage
  present gift
  presents gifts
  sweater jumper
  garbage rubbish trash
  diapers nappies
  sidewalk pavement
  lift elevator
  apartment flat
  apartments flats
  store shop
  stores shops
  university uni
  built constructed
  class lesson
  classes lessons
  exam examination
  surgery operation
  medication medicine meds
  flu influenza
  eggplant aubergine
  zucchini courgette
  coriander cilantro
  dinner supper
  candy sweets
  football soccer
  holiday vacation
  holidays vacations
  fall autumn
  birthday bday
  information info
  work job
  start begin commence
  starts begins commences
  started began commenced
  starting beginning
  end finish
  ends finishes
  ended finished
  purchase buy
  purchases buys
  purchased bought
  purchasing buying
  like enjoy
  likes enjoys
  liked enjoyed
  liking enjoying
  love adore
  loves adores
  hate detest loathe
  hates detests loathes
  live reside
  lives resides
  lived resided
  living residing
  help assist
  helps assists
  need require
  needs requires
  allow permit
  allows permits
  allowed permitted
  fix repair
  fixes repairs
  fixed repaired
  choose select
  reply respond answer
  replied responded answered
  large big huge enormous massive
  larger bigger
  largest biggest
  small tiny
  fast quick
  sick ill unwell
  afraid scared frightened terrified
  happy glad pleased
  great amazing awesome fantastic wonderful brilliant excellent
  terrible awful horrible dreadful
  difficult hard tough tricky
  expensive pricey costly
  cheap inexpensive
  clever smart intelligent
  nervous anxious
  all entire whole
  oldest eldest
  favorite fav fave preferred
  many numerous
  normally usually
  frequently often
  rarely seldom
  mostly mainly primarily
  perhaps maybe
  about approximately roughly
  almost nearly
  yearly annually
  daily everyday
  but although though however
  trouble difficulty difficulties
  near nearby
  anyway anyways
  friend buddy pal mate
  friends buddies pals mates
  roommate flatmate housemate
  leave depart
  leaves departs
  leaving departing
  boyfriend bf
  girlfriend gf
  teenager teen
  forest woods
  stove cooker
  glasses spectacles specs
  umbrella brolly
  tap faucet
  petrol gasoline
  highway motorway freeway
  subway metro
  cookie biscuit
  cookies biscuits
  corn maize
  pharmacy chemist
  postman mailman
  resume cv
  hurts aches
  happens occurs
  happened occurred
  close shut
  closes shuts
  weird strange
  boring dull
  noisy loud
  rich wealthy
  angry mad
  crazy insane
  funny hilarious
  tidy neat
  dirty filthy
  delicious tasty yummy
  slim thin skinny
  vegetarian veggie
  immediately instantly
  quickly rapidly
  regularly routinely
  recently lately
  about regarding concerning
  puppy pup
  belly tummy stomach
  headphones earphones
  mistake error
  mistakes errors
  problem issue
  problems issues
  goal aim
  goals aims
  hobby pastime
  hobbies pastimes
  journey trip
  mailbox postbox letterbox
  surname lastname`

/** The word that stands for all of its meaning. */
export const synonyms: ReadonlyMap<string, string> = new Map(
  groups
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [meaning = '', ...others] = line.trim().split(' ')
      return others.map((word) => [word, meaning] as const)
    }),
)
