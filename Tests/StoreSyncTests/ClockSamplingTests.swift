import Testing
import Timer

@testable import StoreSync

@Suite("Asking a hub for its time") struct ClockSamplingTests {
  private func answer(at local: Int64, trip: Int64 = 20) -> TimeSample {
    let hub = Instant(milliseconds: 5_000_000 + local + trip / 2)
    return TimeSample(sentAt: local, receivedByHub: hub, answeredByHub: hub, receivedAt: local + trip)
  }

  @Test("eight times at once, then each 5 s while a clock is open and each minute otherwise") func pace() {
    var sampling = ClockSampling()
    #expect(sampling.pause(at: 0, isUrgent: false) == 0)
    for number in 0..<8 {
      let best = sampling.note(askedAt: Int64(number) * 250, answer(at: Int64(number) * 250))
      #expect((best != nil) == (number == 7))
      if number < 7 { #expect(sampling.pause(at: Int64(number) * 250, isUrgent: false) == 250) }
    }
    #expect(sampling.pause(at: 1750, isUrgent: true) == 5_000)
    #expect(sampling.pause(at: 1750, isUrgent: false) == 60_000)
  }

  @Test("a slow answer says nothing, and the shortest way there and back counts") func slow() {
    var sampling = ClockSampling()
    #expect(sampling.note(askedAt: 0, answer(at: 0, trip: 2_001)) == nil)
    for number in 1...7 { _ = sampling.note(askedAt: Int64(number) * 250, answer(at: Int64(number) * 250, trip: 200)) }
    let best = sampling.note(askedAt: 2_000, answer(at: 2_000, trip: 40))
    #expect(best?.roundTripMs == 40)
  }

  @Test("a hub that answers too late is asked less often, but each 5 s while a clock is open") func late() {
    var sampling = ClockSampling()
    for _ in 0..<9 { _ = sampling.note(askedAt: 0, answer(at: 0, trip: 2_001)) }
    #expect(sampling.pause(at: 0, isUrgent: false) == 60_000)
    #expect(sampling.pause(at: 0, isUrgent: true) == 5_000)
  }

  @Test("a hub that does not answer is asked each 5 s, and each second while a clock is open") func away() {
    var sampling = ClockSampling()
    for _ in 0..<9 { _ = sampling.note(askedAt: 0, nil) }
    #expect(sampling.pause(at: 0, isUrgent: false) == 5_000)
    #expect(sampling.pause(at: 0, isUrgent: true) == 1_000)
    _ = sampling.note(askedAt: 0, answer(at: 0))
    #expect(sampling.pause(at: 0, isUrgent: false) == 250, "it is there again")
  }
}
