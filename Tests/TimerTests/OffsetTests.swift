import Testing
import Timer

@Suite("The clock's offset")
struct OffsetTests {
  /// An exchange sent at `sent` with these ways there and back; exam time stands `offset` ahead.
  func sample(_ sent: Int64, there: Int64, back: Int64, offset: Int64) -> TimeSample {
    let received = Instant(milliseconds: sent + there + offset)
    return TimeSample(
      sentAt: sent, receivedByHub: received, answeredByHub: received + 3, receivedAt: sent + there + 3 + back)
  }

  @Test("equal ways give the offset itself, and the hub's own time does not count")
  func symmetric() {
    let one = sample(1000, there: 20, back: 20, offset: 500)
    #expect(one.offsetMs == 500 && one.roundTripMs == 40)
    #expect(sample(1000, there: 5, back: 5, offset: -500).offsetMs == -500)
  }

  @Test("the lowest round trip of the last eight counts")
  func lowest() {
    var estimator = OffsetEstimator()
    #expect(estimator.offsetMs(at: 0) == nil && estimator.examTime(at: 0) == nil)
    estimator.add(sample(0, there: 1, back: 1, offset: 100))
    for number in 1...7 { estimator.add(sample(Int64(number) * 1000, there: 30, back: 90, offset: 100)) }
    #expect(estimator.best?.roundTripMs == 2 && estimator.offsetMs(at: 9000) == 100)
    estimator.add(sample(8000, there: 30, back: 80, offset: 100))
    #expect(estimator.best?.roundTripMs == 110)
  }

  @Test(
    "the truth lies within half the round trip, whatever the ways",
    arguments: [(0, 80), (80, 0), (10, 35)] as [(Int64, Int64)])
  func bound(there: Int64, back: Int64) throws {
    var estimator = OffsetEstimator()
    estimator.add(sample(0, there: there, back: back, offset: 1234))
    let offset = try #require(estimator.offsetMs(at: 100))
    #expect(abs(offset - 1234) <= (there + back + 1) / 2)
  }

  @Test("a new estimate is approached slowly, and a difference above a second is taken at once")
  func slew() {
    var estimator = OffsetEstimator()
    estimator.add(sample(0, there: 40, back: 40, offset: 0))
    estimator.add(sample(1000, there: 5, back: 5, offset: 30))
    let from: Int64 = 1013
    #expect(estimator.offsetMs(at: from) == 0 && estimator.offsetMs(at: from + 1000) == 10)
    #expect(estimator.offsetMs(at: from + 3000) == 30 && estimator.offsetMs(at: from + 9000) == 30)
    estimator.add(sample(20_000, there: 1, back: 1, offset: 5000))
    #expect(estimator.offsetMs(at: 20_005) == 5000)
  }

  @Test("exam time never runs backwards while a new estimate is approached")
  func monotonic() {
    var estimator = OffsetEstimator()
    estimator.add(sample(0, there: 40, back: 40, offset: 900))
    estimator.add(sample(200, there: 5, back: 5, offset: 0))
    var last = Instant.earliest
    for local in Int64(213)...5000 {
      let now = estimator.examTime(at: local) ?? .earliest
      #expect(now >= last)
      last = now
    }
  }

  @Test("an exchange whose stamps cannot be right is not kept")
  func unsound() {
    var estimator = OffsetEstimator()
    let zero = Instant(milliseconds: 0)
    let unsound = [
      TimeSample(sentAt: 10, receivedByHub: zero, answeredByHub: zero, receivedAt: 9),
      TimeSample(sentAt: 0, receivedByHub: zero + 1, answeredByHub: zero, receivedAt: 9),
      TimeSample(sentAt: 0, receivedByHub: zero, answeredByHub: zero + 20, receivedAt: 9),
    ]
    for sample in unsound {
      let kept = estimator.add(sample)
      #expect(!kept)
    }
    #expect(estimator.best == nil)
    estimator.add(TimeSample(sentAt: .min, receivedByHub: .latest, answeredByHub: .latest, receivedAt: .max))
    _ = estimator.offsetMs(at: .max)
    _ = estimator.examTime(at: .min)
  }
}
