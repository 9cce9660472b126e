#pragma once

namespace silt::host_memory {

/// While it stands, this thread's arrays are ones that will be touched in few places: they come as fresh small pages,
/// which take no memory where nobody writes, and go back to the system when they are released. What is touched
/// everywhere is slower this way.
class FewTouched {
 public:
  explicit FewTouched(bool really = true);
  ~FewTouched();
  FewTouched(const FewTouched&) = delete;
  FewTouched& operator=(const FewTouched&) = delete;

 private:
  bool before_;
};

}  // namespace silt::host_memory
